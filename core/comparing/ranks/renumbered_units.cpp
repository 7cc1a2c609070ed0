#include "core/comparing/ranks/renumbered_units.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>

#include "core/base/list_of.h"
#include "core/base/text/parse_number.h"
#include "core/comparing/match/row_identity.h"
#include "core/dumps/model/tensor_recipe.h"

namespace ulp::analysis {
namespace {

using dumps::DerivedUnit;
using dumps::DumpEntry;
using dumps::DumpRow;
using dumps::DumpUnitPtr;
using dumps::EntryKind;
using dumps::Role;

/// The digits of "weight3" and "bias3", which a module of several experts has a row each of.
std::string_view digitsOf(std::string_view segment) {
  for (const std::string_view name : {"weight", "bias"}) {
    if (segment.starts_with(name) && parseNatural<std::int64_t>(segment.substr(name.size()))) {
      return segment.substr(name.size());
    }
  }
  return {};
}

/// Where the number of an expert stands in a name; empty: nowhere.
std::string_view placeOfNumber(std::string_view name) {
  std::string_view before;
  bool isInside = false;
  std::size_t from = 0;
  while (from <= name.size()) {
    const std::size_t dot = std::min(name.find('.', from), name.size());
    const std::string_view segment = name.substr(from, dot - from);
    const bool isInList = before == "experts" || before == "local_experts";
    if (isInList && parseNatural<std::int64_t>(segment)) {
      return segment;
    }
    // Megatron's GroupedMLP has weight1 and weight2, which are of all experts.
    if (isInside && !isInList && !digitsOf(segment).empty()) {
      return digitsOf(segment);
    }
    isInside = isInside || segment == "experts";
    before = segment;
    from = dot + 1;
  }
  return {};
}

/// "Functional.linear.3.forward" of a call of a function with another number; nothing: the name
/// does not begin with that of the call.
std::optional<std::string> withCall(const DumpEntry& entry,
                                    const std::string& name,
                                    std::uint64_t call) {
  const std::string prefix = fmt::format("{}.{}.", entry.operation, entry.call);
  return entry.kind == EntryKind::Api && name.starts_with(prefix)
             ? std::optional(
                   fmt::format("{}.{}.{}", entry.operation, call, name.substr(prefix.size())))
             : std::nullopt;
}

/// The row under another name, as the next one of the last entry of `unit`.
void addRenamed(DerivedUnit& unit, const DumpUnitPtr& from, std::size_t row, std::string name) {
  unit.addRowOf(from, row);
  unit.rows.back().name = std::move(name);
}

class ExpertRenamer {
 public:
  ExpertRenamer(const DumpUnitPtr& unit, const ExpertShare& share)
      : m_unit(unit), m_share(share), m_result(DerivedUnit::versionOf(*unit)) {}

  [[nodiscard]] DumpUnitPtr rename() && {
    for (const DumpEntry& from : m_unit->entries) {
      DumpEntry entry = from;
      entry.name = renamed(from.name);
      entry.module = renamed(from.module);
      m_result->addEntry(std::move(entry));
      for (const std::size_t row : from.rows()) {
        m_result->addRowOf(m_unit, row);
        rename(from, m_result->rows.back());
      }
    }
    if (m_isBeyond) {
      m_result->notes.push_back(
          {ULP_TR_NOOP("%1: has experts with numbers from %2 up, which are taken for the whole "
                       "model's; leave 'experts' out if all are"),
           {describe(m_unit->axes), std::to_string(m_share.count)}});
    }
    return std::move(m_result);
  }

 private:
  void rename(const DumpEntry& entry, DumpRow& row) {
    const std::string name = expertNameOf(entry, row);
    if (entry.module.empty() || isOfOneExpert(entry.module)) {
      row.name = renamed(row.name);
    } else if (isOfOneExpert(name)) {
      const std::string whole = renamed(name);
      const std::string number = whole.substr(whole.rfind('.') + 1);
      if (row.name.ends_with(row.index)) {
        row.name.replace(row.name.size() - row.index.size(), row.index.size(), number);
      }
      row.index = number;
    }
  }

  [[nodiscard]] std::string renamed(const std::string& name) {
    const auto number = parseNatural<std::int64_t>(placeOfNumber(name));
    m_isBeyond = m_isBeyond || (number && *number >= m_share.count);
    return withExpertNumber(name, m_share);
  }

  DumpUnitPtr m_unit;
  ExpertShare m_share;
  std::shared_ptr<DerivedUnit> m_result;
  bool m_isBeyond = false;
};

/// What begins with the number of a chunk: the module, or the name of a tensor without one.
std::string_view chunkPathOf(const DumpEntry& entry) {
  return entry.module.empty() && entry.kind == EntryKind::Tensor ? entry.name : entry.module;
}

std::optional<std::size_t> chunkIn(std::string_view path, std::size_t count) {
  std::size_t number = 0;
  const char* const end = path.data() + path.size();
  const auto [last, error] = std::from_chars(path.data(), end, number);
  const bool isNumber = error == std::errc() && last != end && *last == '.';
  return isNumber && number < count ? std::optional(number) : std::nullopt;
}

/// `name` with the number of the chunk taken for that of the first, where `path` stands in it.
std::string asFirst(const std::string& name, std::string_view path) {
  const std::size_t place = name.find(path);
  if (place == std::string::npos) {
    return name;
  }
  const std::string_view all = name;
  return fmt::format("{}0{}", all.substr(0, place), all.substr(place + path.find('.')));
}

class ChunkSplitter {
 public:
  ChunkSplitter(const DumpUnitPtr& unit, std::size_t count) : m_unit(unit), m_chunks(count) {
    for (Chunk& chunk : m_chunks) {
      chunk.unit = std::make_shared<DerivedUnit>(unit->axes);
    }
    m_chunks.front().unit->notes = unit->notes;
  }

  [[nodiscard]] std::vector<DumpUnitPtr> split() && {
    findChunks();
    for (std::size_t i = 0; i < m_chunkOf.size(); ++i) {
      add(i, m_chunks[m_chunkOf[i]]);
    }
    for (std::size_t i = 0; i < m_chunkOf.size(); ++i) {
      const std::size_t parent = m_unit->entries[i].parent;
      const bool isInside = parent != dumps::kNone && m_chunkOf[parent] == m_chunkOf[i];
      m_chunks[m_chunkOf[i]].unit->entries[m_places[i]].parent =
          isInside ? m_places[parent] : dumps::kNone;
    }
    return listOf(m_chunks, [](const Chunk& chunk) -> DumpUnitPtr { return chunk.unit; });
  }

 private:
  struct Calls {
    std::map<std::uint64_t, std::uint64_t> numbers;
    std::uint64_t count = 0;
  };
  struct Chunk {
    std::shared_ptr<DerivedUnit> unit;
    std::unordered_map<std::size_t, std::size_t> stacks;  ///< of the whole unit, in its own
    std::unordered_map<std::string, Calls> calls;         ///< of each function
  };

  void findChunks() {
    const auto said = listOf(m_unit->entries, [&](const DumpEntry& entry) {
      return chunkIn(chunkPathOf(entry), m_chunks.size());
    });
    const auto first =
        std::ranges::find_if(said, [](const auto& chunk) { return chunk.has_value(); });
    std::size_t last = first == said.end() ? 0 : **first;
    for (const auto& chunk : said) {
      last = chunk.value_or(last);
      m_chunkOf.push_back(last);
    }
    if (first == said.end()) {
      m_chunks.front().unit->notes.push_back(
          {ULP_TR_NOOP("%1: no module says its chunk; in a list of models, paths begin with its "
                       "number, as in 1.module.decoder"),
           {describe(m_unit->axes)}});
    }
  }

  void add(std::size_t index, Chunk& chunk) {
    const DumpEntry& from = m_unit->entries[index];
    const bool isApi = from.kind == EntryKind::Api;
    DumpEntry entry = from;
    entry.call = isApi ? callIn(chunk, from) : from.call;
    const auto renamed = [&](const std::string& name) {
      return isApi ? withCall(from, name, entry.call).value_or(name)
                   : inFirst(name, chunkPathOf(from));
    };
    entry.name = renamed(from.name);
    entry.module = inFirst(from.module, from.module);
    entry.stack = from.stack == dumps::kNone ? dumps::kNone : stackIn(chunk, from.stack);
    m_places.push_back(chunk.unit->addEntry(entry));
    for (const std::size_t row : from.rows()) {
      addRenamed(*chunk.unit, m_unit, row, renamed(m_unit->rows[row].name));
    }
  }

  [[nodiscard]] std::string inFirst(const std::string& name, std::string_view path) const {
    return chunkIn(path, m_chunks.size()) ? asFirst(name, path) : name;
  }

  /// Calls of a function in a chunk, in their order; backward they have the number of the forward
  /// call.
  [[nodiscard]] static std::uint64_t callIn(Chunk& chunk, const DumpEntry& entry) {
    Calls& calls = chunk.calls[entry.operation];
    const auto [known, isNew] = calls.numbers.try_emplace(entry.call, calls.count);
    calls.count += isNew ? 1 : 0;
    return known->second;
  }

  [[nodiscard]] std::size_t stackIn(Chunk& chunk, std::size_t stack) const {
    const auto [known, isNew] = chunk.stacks.try_emplace(stack, chunk.unit->stacks.size());
    if (isNew) {
      chunk.unit->stacks.push_back(m_unit->stacks[stack]);
    }
    return known->second;
  }

  DumpUnitPtr m_unit;
  std::vector<Chunk> m_chunks;
  std::vector<std::size_t> m_chunkOf;  ///< of each entry
  std::vector<std::size_t> m_places;   ///< of each entry, in its chunk
};

class StageJoiner {
 public:
  StageJoiner(const std::vector<StageUnit>& stages, UnitAxes axes)
      : m_stages(stages),
        m_result(std::make_shared<DerivedUnit>(std::move(axes))),
        m_calls(stages.size()),
        m_stacks(stages.size()),
        m_backwardEnds(stages.size()),
        m_groupOf(stages.size()) {
    if (stages.size() == 1) {
      m_result->structure = stages.front().unit->structure;
    }
    for (std::size_t stage = 0; stage < stages.size(); ++stage) {
      m_stacks[stage] = m_result->stacks.size();
      const auto& unit = *stages[stage].unit;
      m_result->stacks.insert(m_result->stacks.end(), unit.stacks.begin(), unit.stacks.end());
      m_result->notes.insert(m_result->notes.end(), unit.notes.begin(), unit.notes.end());
      countCalls(stage);
      groupModules(stage);
      for (std::size_t i = 0; i < unit.entries.size(); ++i) {
        m_backwardEnds[stage] = unit.entries[i].pass == Pass::Backward ? i : m_backwardEnds[stage];
      }
    }
  }

  [[nodiscard]] DumpUnitPtr join() && {
    if (m_stages.size() == 1) {
      addStage(0, std::nullopt);
    }
    for (const Pass pass : kPasses) {
      for (std::size_t i = 0; m_stages.size() > 1 && i < m_stages.size(); ++i) {
        addStage(pass == Pass::Backward ? m_stages.size() - 1 - i : i, pass);
      }
    }
    for (std::size_t i = 0; i < m_origins.size(); ++i) {
      const auto place = m_places.find({m_origins[i].first, entryAt(m_origins[i]).parent});
      m_result->entries[i].parent = place == m_places.end() ? dumps::kNone : place->second;
    }
    return std::move(m_result);
  }

 private:
  using Place = std::pair<std::size_t, std::size_t>;  ///< stage and entry

  [[nodiscard]] const DumpEntry& entryAt(const Place& place) const {
    return m_stages[place.first].unit->entries[place.second];
  }

  /// What a stage ran when its backward pass had ended, such as an optimizer, no other stage's
  /// calls wait for.
  [[nodiscard]] Pass turnOf(const Place& place) const {
    const std::size_t end = m_backwardEnds[place.first];
    const Pass pass = entryAt(place).pass;
    return pass == Pass::Forward && end > 0 && place.second > end ? Pass::Optimizer : pass;
  }

  /// Module calls that several stages have: each ran a part of them. Some tools write an entry for
  /// each tensor of a call, which are told apart by their names.
  void groupModules(std::size_t stage) {
    const auto& entries = m_stages[stage].unit->entries;
    m_groupOf[stage].resize(entries.size(), dumps::kNone);
    std::unordered_map<std::string, std::size_t> seen;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (entries[i].kind != EntryKind::Module) {
        continue;
      }
      const std::string name =
          fmt::format("{}|{}|{}",
                      toString(entries[i].pass),
                      withLayerOffset(entries[i].name, m_stages[stage].firstLayer),
                      entries[i].call);
      const auto [group, isNew] =
          m_groupsByName.try_emplace(fmt::format("{}|{}", name, seen[name]++), m_groups.size());
      if (isNew) {
        m_groups.emplace_back();
      }
      m_groups[group->second].emplace_back(stage, i);
      m_groupOf[stage][i] = group->second;
    }
  }

  void countCalls(std::size_t stage) {
    if (stage == 0) {
      return;
    }
    m_calls[stage] = m_calls[stage - 1];
    for (const DumpEntry& entry : m_stages[stage - 1].unit->entries) {
      if (entry.kind == EntryKind::Api) {
        auto& count = m_calls[stage][entry.operation];
        count = std::max(count, callsBefore(stage - 1, entry) + entry.call + 1);
      }
    }
  }

  /// The entries whose turn comes with a pass, or all of them.
  void addStage(std::size_t stage, std::optional<Pass> pass) {
    for (std::size_t i = 0; i < m_groupOf[stage].size(); ++i) {
      const Place place{stage, i};
      const DumpEntry& entry = entryAt(place);
      if (pass && turnOf(place) != *pass) {
        continue;
      }
      const std::size_t group = m_groupOf[stage][i];
      const bool isShared = group != dumps::kNone && m_groups[group].size() > 1;
      if (!isShared) {
        start(place);
        addRows(place, [](Role /*role*/) { return true; });
      } else if (isLast(m_groups[group], stage, entry.pass)) {
        addShared(m_groups[group], entry.pass);
      }
    }
  }

  [[nodiscard]] static bool isLast(const std::vector<Place>& sharing,
                                   std::size_t stage,
                                   Pass pass) {
    return stage == (pass == Pass::Backward ? sharing.front().first : sharing.back().first);
  }

  /// Behind the calls inside it, with what the first stage in the pass's order read and the last
  /// one made.
  void addShared(const std::vector<Place>& sharing, Pass pass) {
    const bool isBackward = pass == Pass::Backward;
    const auto isArgument = [](Role role) {
      return role == Role::Input || role == Role::OutputGradient;
    };
    const Place& making = isBackward ? sharing.front() : sharing.back();
    start(making);
    for (const Place& place : sharing) {
      m_places[place] = m_result->entries.size() - 1;
    }
    addRows(isBackward ? sharing.back() : sharing.front(), isArgument);
    addRows(making, [&](Role role) { return !isArgument(role); });
  }

  void start(const Place& from) {
    const auto [stage, index] = from;
    DumpEntry entry = entryAt(from);
    entry.name = renamed(from, entry.name);
    entry.module = withLayerOffset(entry.module, m_stages[stage].firstLayer);
    entry.call += entry.kind == EntryKind::Api ? callsBefore(stage, entry) : 0;
    entry.stack += entry.stack == dumps::kNone ? 0 : m_stacks[stage];
    m_places[from] = m_result->addEntry(std::move(entry));
    m_origins.push_back(from);
  }

  [[nodiscard]] std::uint64_t callsBefore(std::size_t stage, const DumpEntry& entry) const {
    const auto found = m_calls[stage].find(entry.operation);
    return found == m_calls[stage].end() ? 0 : found->second;
  }

  /// With the calls of earlier stages, and numbers of layers.
  [[nodiscard]] std::string renamed(const Place& from, const std::string& name) const {
    const DumpEntry& entry = entryAt(from);
    const auto numbered = withCall(entry, name, entry.call + callsBefore(from.first, entry));
    return numbered ? *numbered : withLayerOffset(name, m_stages[from.first].firstLayer);
  }

  /// Those of an entry whose role is wanted.
  template <class IsWanted>
  void addRows(const Place& from, const IsWanted& isWanted) {
    const DumpUnitPtr& unit = m_stages[from.first].unit;
    for (const std::size_t row : entryAt(from).rows()) {
      if (isWanted(unit->rows[row].role)) {
        addRenamed(*m_result, unit, row, renamed(from, unit->rows[row].name));
      }
    }
  }

  const std::vector<StageUnit>& m_stages;
  std::shared_ptr<DerivedUnit> m_result;
  /// Of each stage: how many calls of a function the stages before it have made.
  std::vector<std::unordered_map<std::string, std::uint64_t>> m_calls;
  std::vector<std::size_t> m_stacks;         ///< of each stage: stacks of the stages before it
  std::vector<std::size_t> m_backwardEnds;   ///< of each stage: its last backward call; 0: none
  std::vector<std::vector<Place>> m_groups;  ///< the same module call, at most once a stage
  std::unordered_map<std::string, std::size_t> m_groupsByName;
  std::vector<std::vector<std::size_t>> m_groupOf;  ///< of each stage's entries; kNone: no module
  std::vector<Place> m_origins;                     ///< of each entry of the result
  std::map<Place, std::size_t> m_places;
};

}  // namespace

bool isOfOneExpert(std::string_view name) {
  return !placeOfNumber(name).empty();
}

std::string withExpertNumber(std::string_view name, const ExpertShare& share) {
  const std::string_view digits = placeOfNumber(name);
  const auto number = parseNatural<std::int64_t>(digits);
  if (!number || *number >= share.count) {
    return std::string(name);
  }
  const auto place = static_cast<std::size_t>(digits.data() - name.data());
  return fmt::format(
      "{}{}{}", name.substr(0, place), *number + share.first, name.substr(place + digits.size()));
}

std::string expertNameOf(const DumpEntry& entry, const DumpRow& row) {
  if (entry.module.empty()) {
    return row.name;
  }
  const bool isOfParameter = row.role == Role::Parameter || row.role == Role::ParameterGradient;
  return isOfParameter && !digitsOf(row.index).empty() ? entry.module + "." + row.index
                                                       : entry.module;
}

DumpUnitPtr withExpertNumbers(const DumpUnitPtr& unit, const ExpertShare& share) {
  return ExpertRenamer(unit, share).rename();
}

std::vector<DumpUnitPtr> chunksOf(const DumpUnitPtr& unit, std::size_t count) {
  return count < 2 ? std::vector<DumpUnitPtr>{unit} : ChunkSplitter(unit, count).split();
}

DumpUnitPtr joinStages(const std::vector<StageUnit>& stages, UnitAxes axes) {
  return StageJoiner(stages, std::move(axes)).join();
}

}  // namespace ulp::analysis
