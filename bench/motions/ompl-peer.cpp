// Plans the scenes of a file with OMPL's RRT-Connect and FCL, simplification included, and prints a line for each run:
// scene, run, found, milliseconds, length. The suite `motions` compiles it where a compiler and the packages are present.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <fcl/fcl.h>
#include <ompl/base/spaces/RealVectorStateSpace.h>
#include <ompl/geometric/SimpleSetup.h>
#include <ompl/geometric/planners/rrt/RRTConnect.h>
#include <ompl/util/RandomNumbers.h>

namespace ob = ompl::base;
namespace og = ompl::geometric;
using Transform = fcl::Transform3d;
using Vector = fcl::Vector3d;

struct Link {
  int parent, kind;
  Transform placement;
  Vector axis;
  double offset;
  std::vector<std::pair<int, double>> terms;  // index of the moving dof
};

struct Body {
  int link;
  double radius, extent;
  Vector centre;
  std::shared_ptr<fcl::CollisionGeometryd> shape;
};

struct Scene {
  int dofs;
  std::vector<Link> links;
  std::vector<Body> bodies;
  std::vector<std::pair<int, int>> pairs;
  std::vector<double> lower, upper, start, goal;
  double margin;
  mutable std::vector<Transform> poses;

  void place(const double *q) const {
    poses.resize(links.size());
    poses[0] = Transform::Identity();
    for (std::size_t i = 1; i < links.size(); i++) {
      const Link &link = links[i];
      double position = link.offset;
      for (const auto &[dof, factor] : link.terms) position += factor * q[dof];
      Transform at = poses[link.parent] * link.placement;
      if (link.kind == 1) at.rotate(Eigen::AngleAxisd(position, link.axis));
      else if (link.kind == 2) at.translate(position * link.axis);
      poses[i] = at;
    }
  }

  bool isFree(const double *q) const {
    place(q);
    for (const auto &[a, b] : pairs) {
      const Body &first = bodies[a], &second = bodies[b];
      const double radii = first.radius + second.radius + margin;
      const Vector between = poses[first.link] * first.centre - poses[second.link] * second.centre;
      const double reach = radii + first.extent + second.extent;
      if (between.squaredNorm() > reach * reach) continue;
      fcl::DistanceRequestd request(false, false);
      request.gjk_solver_type = fcl::GST_LIBCCD;
      fcl::DistanceResultd result;
      const double distance = fcl::distance(first.shape.get(), poses[first.link], second.shape.get(), poses[second.link], request, result);
      if (!(distance > radii)) return false;
    }
    return true;
  }
};

static std::shared_ptr<fcl::CollisionGeometryd> shapeOf(const std::vector<Vector> &points) {
  if (points.size() == 1) return std::make_shared<fcl::Sphered>(1e-9);
  auto vertices = std::make_shared<std::vector<Vector>>(points);
  // Supports of few vertices are found among all of them; faces do not matter.
  auto faces = std::make_shared<std::vector<int>>(std::vector<int>{3, 0, 1, static_cast<int>(points.size()) - 1});
  return std::make_shared<fcl::Convexd>(vertices, 1, faces, false);
}

static Scene read(std::ifstream &in) {
  Scene scene;
  std::size_t links, bodies, pairs;
  in >> scene.dofs >> links >> bodies >> pairs >> scene.margin;
  scene.links.resize(links);
  for (Link &link : scene.links) {
    std::size_t terms;
    Eigen::Matrix3d rotation;
    Vector translation;
    in >> link.parent >> link.kind;
    for (int i = 0; i < 9; i++) in >> rotation(i / 3, i % 3);
    for (int i = 0; i < 3; i++) in >> translation[i];
    for (int i = 0; i < 3; i++) in >> link.axis[i];
    in >> link.offset >> terms;
    link.placement = Transform::Identity();
    link.placement.linear() = rotation;
    link.placement.translation() = translation;
    link.terms.resize(terms);
    for (auto &[dof, factor] : link.terms) in >> dof >> factor;
  }
  for (std::size_t k = 0; k < bodies; k++) {
    Body body;
    std::size_t count;
    in >> body.link >> body.radius >> body.extent >> body.centre[0] >> body.centre[1] >> body.centre[2] >> count;
    std::vector<Vector> points(count);
    for (Vector &point : points) in >> point[0] >> point[1] >> point[2];
    if (count == 1) {
      // A ball about a point: the sphere is placed by a link of its own, so its centre is moved into the vertices.
      points.push_back(points[0] + Vector(1e-9, 0, 0));
      points.push_back(points[0] + Vector(0, 1e-9, 0));
    }
    while (points.size() < 4) points.push_back(points[points.size() - 2]);
    body.shape = shapeOf(points);
    scene.bodies.push_back(body);
  }
  scene.pairs.resize(pairs);
  for (auto &[a, b] : scene.pairs) in >> a >> b;
  for (auto *list : {&scene.lower, &scene.upper, &scene.start, &scene.goal}) {
    list->resize(scene.dofs);
    for (double &value : *list) in >> value;
  }
  return scene;
}

int main(int argc, char **argv) {
  ompl::msg::setLogLevel(ompl::msg::LOG_NONE);
  std::ifstream in(argv[1]);
  const int runs = std::stoi(argv[2]);
  const double limit = std::stod(argv[3]), resolution = std::stod(argv[4]);
  std::size_t count;
  in >> count;
  ompl::RNG::setSeed(1);
  for (std::size_t k = 0; k < count; k++) {
    const Scene scene = read(in);
    for (int run = 0; run < runs; run++) {
      auto space = std::make_shared<ob::RealVectorStateSpace>(scene.dofs);
      ob::RealVectorBounds bounds(scene.dofs);
      for (int i = 0; i < scene.dofs; i++) {
        bounds.setLow(i, scene.lower[i]);
        bounds.setHigh(i, scene.upper[i]);
      }
      space->setBounds(bounds);
      og::SimpleSetup setup(space);
      space->setLongestValidSegmentFraction(resolution / space->getMaximumExtent());
      setup.setStateValidityChecker([&](const ob::State *state) {
        return scene.isFree(state->as<ob::RealVectorStateSpace::StateType>()->values);
      });
      ob::ScopedState<> start(space), goal(space);
      for (int i = 0; i < scene.dofs; i++) {
        start[i] = scene.start[i];
        goal[i] = scene.goal[i];
      }
      setup.setStartAndGoalStates(start, goal);
      setup.setPlanner(std::make_shared<og::RRTConnect>(setup.getSpaceInformation()));
      setup.setup();
      const auto begin = std::chrono::steady_clock::now();
      const bool found = setup.solve(limit) == ob::PlannerStatus::EXACT_SOLUTION;
      if (found) setup.simplifySolution();
      const double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
      std::printf("%zu %d %d %.6f %.9f\n", k, run, found ? 1 : 0, ms, found ? setup.getSolutionPath().length() : 0.0);
      std::fflush(stdout);
    }
  }
}
