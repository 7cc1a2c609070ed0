#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/dumps/msit/topology.h"

/// What `msit llm compare` 8.2.0 compares with what.
namespace ulp::dumps::msit {

/// Which files of a module or operation are compared.
struct Place {
  enum class Files : std::uint8_t { Outputs, Inputs, One };
  Files files = Files::Outputs;
  std::string name{};  ///< of the one: "output.pth", "outtensor0.bin"

  friend auto operator<=>(const Place&, const Place&) = default;  // NOLINT(modernize-use-nullptr)
};

/// A node of one of the structures of a side.
struct NodeId {
  std::size_t model = 0;
  std::size_t node = 0;

  friend auto operator<=>(const NodeId&, const NodeId&) = default;  // NOLINT(modernize-use-nullptr)
};

struct NodePair {
  NodeId my;
  Place myPlace{};
  NodeId golden;
  Place goldenPlace{};

  friend auto operator<=>(const NodePair&,
                          const NodePair&) = default;  // NOLINT(modernize-use-nullptr)
};

enum class Level : std::uint8_t { Layer, Module, Api };

/// Type of an ATB operation, with "_outtensorN" where one output is meant, and of the modules that
/// do the same, with "_output_N".
using OperationMapping = std::vector<std::pair<std::string, std::vector<std::string>>>;
[[nodiscard]] const OperationMapping& builtinMapping();

/// What to compare with what. Where one side has one structure and the other two (prefill and
/// decode), the one counts for both. In the order of execution where `isMyAtb`, else as the rules
/// find them; what msit leaves to the order of a set is in the order of the structure.
[[nodiscard]] std::vector<NodePair> pairUp(const std::vector<Topology>& golden,
                                           const std::vector<Topology>& my,
                                           Level level,
                                           bool isMyAtb,
                                           const OperationMapping& mapping = builtinMapping());

}  // namespace ulp::dumps::msit
