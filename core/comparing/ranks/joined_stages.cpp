#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "core/comparing/match/row_identity.h"
#include "core/comparing/ranks/merged_ranks.h"
#include "core/dumps/model/tensor_recipe.h"

namespace ulp::analysis {
namespace {

using dumps::DerivedUnit;
using dumps::DumpEntry;
using dumps::DumpRow;
using dumps::DumpUnitPtr;
using dumps::EntryKind;
using dumps::Role;

class StageJoiner {
 public:
  StageJoiner(const std::vector<StageUnit>& stages, UnitAxes axes)
      : m_stages(stages),
        m_calls(stages.size()),
        m_stacks(stages.size()),
        m_groupOf(stages.size()) {
    m_result = std::make_shared<DerivedUnit>(std::move(axes));
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
      const auto [stage, entry] = m_origins[i];
      const std::size_t parent = m_stages[stage].unit->entries[entry].parent;
      const auto place = m_places.find({stage, parent});
      m_result->entries[i].parent = place == m_places.end() ? dumps::kNone : place->second;
    }
    return std::move(m_result);
  }

 private:
  using Place = std::pair<std::size_t, std::size_t>;  ///< stage and entry

  [[nodiscard]] std::int64_t offsetOf(std::size_t stage) const {
    return m_stages[stage].firstLayer;
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
      const std::string name = fmt::format("{}|{}|{}",
                                           toString(entries[i].pass),
                                           withLayerOffset(entries[i].name, offsetOf(stage)),
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
    if (stage > 0) {
      m_calls[stage] = m_calls[stage - 1];
      for (const DumpEntry& entry : m_stages[stage - 1].unit->entries) {
        if (entry.kind == EntryKind::Api) {
          const std::uint64_t before =
              stage > 1 ? m_calls[stage - 1][entry.operation] : std::uint64_t{0};
          auto& count = m_calls[stage][entry.operation];
          count = std::max(count, before + entry.call + 1);
        }
      }
    }
  }

  /// The entries of one pass, or all of them.
  void addStage(std::size_t stage, std::optional<Pass> pass) {
    const auto& unit = *m_stages[stage].unit;
    for (std::size_t i = 0; i < unit.entries.size(); ++i) {
      const DumpEntry& entry = unit.entries[i];
      if (pass && entry.pass != *pass) {
        continue;
      }
      const std::size_t group = m_groupOf[stage][i];
      const bool isShared = group != dumps::kNone && m_groups[group].size() > 1;
      if (!isShared) {
        start({stage, i});
        for (std::size_t r = 0; r < entry.rowCount; ++r) {
          addRow({stage, i}, entry.firstRow + r);
        }
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
    const Place& reading = isBackward ? sharing.back() : sharing.front();
    const Place& making = isBackward ? sharing.front() : sharing.back();
    start(making);
    for (const Place& place : sharing) {
      m_places[place] = m_result->entries.size() - 1;
    }
    for (const Place& from : {reading, making}) {
      const DumpEntry& entry = m_stages[from.first].unit->entries[from.second];
      for (std::size_t r = 0; r < entry.rowCount; ++r) {
        const Role role = m_stages[from.first].unit->rows[entry.firstRow + r].role;
        const bool isRead = role == Role::Input || role == Role::OutputGradient;
        const bool isMade = role == Role::Output || role == Role::InputGradient;
        const bool isWanted = from == making ? !isRead : !isMade && isRead;
        if (isWanted) {
          addRow(from, entry.firstRow + r);
        }
      }
    }
  }

  void start(const Place& from) {
    const auto [stage, index] = from;
    DumpEntry entry = m_stages[stage].unit->entries[index];
    entry.name = renamed(from, entry.name);
    entry.module = withLayerOffset(entry.module, offsetOf(stage));
    entry.call += entry.kind == EntryKind::Api ? callsBefore(stage, entry.operation) : 0;
    entry.stack += entry.stack == dumps::kNone ? 0 : m_stacks[stage];
    m_places[from] = m_result->addEntry(std::move(entry));
    m_origins.push_back(from);
  }

  [[nodiscard]] std::uint64_t callsBefore(std::size_t stage, const std::string& operation) const {
    const auto found = m_calls[stage].find(operation);
    return found == m_calls[stage].end() ? 0 : found->second;
  }

  /// "Functional.linear.3.forward" with the calls of earlier stages, and numbers of layers.
  [[nodiscard]] std::string renamed(const Place& from, const std::string& name) const {
    const auto [stage, index] = from;
    const DumpEntry& entry = m_stages[stage].unit->entries[index];
    const std::string prefix = fmt::format("{}.{}.", entry.operation, entry.call);
    if (entry.kind == EntryKind::Api && name.starts_with(prefix)) {
      return fmt::format("{}.{}.{}",
                         entry.operation,
                         entry.call + callsBefore(stage, entry.operation),
                         name.substr(prefix.size()));
    }
    return withLayerOffset(name, offsetOf(stage));
  }

  void addRow(const Place& from, std::size_t index) {
    DumpRow row = m_stages[from.first].unit->rows[index];
    row.name = renamed(from, row.name);
    m_result->addRow(std::move(row), dumps::rowRecipe(m_stages[from.first].unit, index));
  }

  const std::vector<StageUnit>& m_stages;
  std::shared_ptr<DerivedUnit> m_result;
  /// Of each stage: how many calls of a function the stages before it have made.
  std::vector<std::unordered_map<std::string, std::uint64_t>> m_calls;
  std::vector<std::size_t> m_stacks;         ///< of each stage: stacks of the stages before it
  std::vector<std::vector<Place>> m_groups;  ///< the same module call, at most once a stage
  std::unordered_map<std::string, std::size_t> m_groupsByName;
  std::vector<std::vector<std::size_t>> m_groupOf;  ///< of each stage's entries; kNone: no module
  std::vector<Place> m_origins;                     ///< of each entry of the result
  std::map<Place, std::size_t> m_places;
};

}  // namespace

DumpUnitPtr joinStages(const std::vector<StageUnit>& stages, UnitAxes axes) {
  return StageJoiner(stages, std::move(axes)).join();
}

}  // namespace ulp::analysis
