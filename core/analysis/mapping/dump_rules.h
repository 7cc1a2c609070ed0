#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// What a mapping file says of dumps besides names (docs/mapping.md): what is fused, what is
/// sharded, and what msprobe's own mapping files hold.
namespace ulp::analysis {

/// How the parts lie in a fused tensor.
enum class FusedLayout : std::uint8_t {
  Concat,   ///< one behind the other: q k v
  Grouped,  ///< a piece of each, group by group: q q k v  q q k v
  Found     ///< as Concat, or in as many groups as agree better with the other side's elements
};

/// As mapping files call them.
inline constexpr std::array<std::string_view, 3> kFusedLayouts{"concat", "grouped", "found"};

/// A tensor on one side that the other side holds in parts.
struct FusedRule {
  std::string match;               ///< ECMAScript, searched in module paths and names
  std::vector<std::string> parts;  ///< what `match` is replaced by; may use $1
  FusedLayout layout = FusedLayout::Concat;
  std::int64_t groups = 0;            ///< of Grouped; 0: found
  std::optional<std::int64_t> dim{};  ///< that the parts share; nothing: the one that adds up

  friend bool operator==(const FusedRule&, const FusedRule&) = default;
};

/// How what the ranks hold makes one tensor.
enum class ShardKind : std::uint8_t { Concat, Replicated, Sum, Mean };

/// Ranks among which a tensor is divided.
enum class ShardAxis : std::uint8_t { Tensor, Data, Expert };

/// As mapping files call them.
inline constexpr std::array<std::string_view, 4> kShardKinds{"concat", "replicated", "sum", "mean"};
inline constexpr std::array<std::string_view, 3> kShardAxes{"tensor", "data", "expert"};

struct ShardRule {
  std::string match;  ///< ECMAScript, searched in module path and name of the row; empty: fits all
  std::string row;    ///< the same of "output.0", "parameter.weight"; empty: fits all
  ShardKind kind = ShardKind::Replicated;
  ShardAxis axis = ShardAxis::Tensor;
  std::int64_t dim = 0;  ///< of Concat; negative: from the end
  /// Of Concat: sizes, relative to one another, of what each rank holds a piece of: 2, 1, 1 for
  /// q, k and v in one tensor. Empty: of one thing.
  std::vector<std::int64_t> parts{};

  friend bool operator==(const ShardRule&, const ShardRule&) = default;
};

using RankGroups = std::vector<std::vector<std::int64_t>>;

/// Which rank holds what.
struct RankLayout {
  RankGroups tensor{};       ///< ranks that hold the shards of the same tensors, in their order
  RankGroups pipeline{};     ///< the ranks of each stage, stages in order
  RankGroups data{};         ///< ranks that hold the same and have seen other data
  RankGroups expert{};       ///< those of them that hold different experts, in their order
  std::int64_t experts = 0;  ///< of a layer, where ranks count their own from 0; 0: none do
  std::int64_t chunks = 1;   ///< of layers that every stage runs in turn (virtual stages)
  /// By what the sum of the gradients of `data` ranks is divided for those of parameters; 0: it is
  /// not known.
  double gradientDivisor = 0;
  /// Added to the layer numbers of each stage, of chunk after chunk of it; empty: nothing.
  std::vector<std::int64_t> layers{};

  [[nodiscard]] std::size_t stages() const { return pipeline.empty() ? 1 : pipeline.size(); }

  friend bool operator==(const RankLayout&, const RankLayout&) = default;
};

/// `from: to`, in the order of the file.
using NamePairs = std::vector<std::pair<std::string, std::string>>;

/// Children of modules of a class that are called otherwise.
struct ClassRenames {
  std::string type;  ///< "TopLayer": above all
  NamePairs children;

  friend bool operator==(const ClassRenames&, const ClassRenames&) = default;
};

struct DumpRules {
  bool splitsKnown = true;         ///< qkv_proj and others that are known by name
  std::vector<FusedRule> fused{};  ///< before those that are known
  /// Weights of the candidate that the baseline holds transposed: ECMAScript, searched in module
  /// paths and names of rows.
  std::vector<std::string> transposed{};
  bool findsTransposed = true;  ///< and those of which shape or class of the module tell it
  /// Activations of the candidate whose first two dimensions the baseline has the other way round,
  /// as `transposed`.
  std::vector<std::string> exchanged{};
  bool findsExchanged = true;  ///< and those of which shapes or elements tell it
  /// Entries of the vocabulary; what lies behind is padding. 0: nothing is. Without it, what one
  /// side has more of than the other, where its size looks like it.
  std::optional<std::int64_t> vocabulary{};
  bool areShapesExact = false;  ///< dimensions of size 1 count
  bool findsLossScale = true;   ///< gradients are brought to one scale of the loss
  std::vector<ShardRule> shards{};
  std::optional<RankLayout> baselineRanks{};
  std::optional<RankLayout> candidateRanks{};
  bool isFuzzy = false;  ///< calls are paired whatever their numbers, in order
  NamePairs rows{};      ///< msprobe -dm: rows of the candidate and those of the baseline
  NamePairs cells{};     ///< msprobe -cm: "path.Class" or parts of it
  std::vector<ClassRenames> layers{};  ///< msprobe -lm

  friend bool operator==(const DumpRules&, const DumpRules&) = default;
};

/// Rules of shards that are known by a name, as a YAML list; null: there are none of that name.
[[nodiscard]] const char* shardPreset(std::string_view name);
[[nodiscard]] std::string shardPresetNames();
/// The YAML of `rules`, without keys that say nothing.
[[nodiscard]] std::string toYaml(const DumpRules& rules);
/// Writes a text in single quotes, which keep every character of a regular expression as it is; one
/// with control characters in double quotes, escaped.
[[nodiscard]] std::string inSingleQuotes(std::string_view text);

}  // namespace ulp::analysis
