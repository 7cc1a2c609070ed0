#include "core/comparing/origin/collective_call.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/base/text/parse_number.h"
#include "core/comparing/match/row_identity.h"

namespace ulp::analysis {
namespace {

using dumps::DumpEntry;
using dumps::DumpRow;
using dumps::DumpUnit;

/// An operation of torch.distributed, and which argument it fills.
struct Collective {
  std::string_view operation;  ///< plain
  std::string_view position;   ///< of the argument that it fills; empty: none
  std::string_view keyword;    ///< of the same
};
constexpr std::array<Collective, 22> kCollectives{{
    {"allreduce", "", ""},
    {"allreducecoalesced", "", ""},
    {"reduce", "", ""},
    {"broadcast", "", ""},
    {"allgather", "0", "tensor_list"},
    {"allgatherintotensor", "0", "output_tensor"},
    {"allgatherbase", "0", "output_tensor"},
    {"allgathercoalesced", "0", "output_tensor_lists"},
    {"gather", "1", "gather_list"},
    {"scatter", "0", "tensor"},
    {"reducescatter", "0", "output"},
    {"reducescattertensor", "0", "output"},
    {"reducescatterbase", "0", "output"},
    {"alltoall", "0", "output_tensor_list"},
    {"alltoallsingle", "0", "output"},
    {"send", "", ""},
    {"isend", "", ""},
    {"recv", "0", "tensor"},
    {"irecv", "0", "tensor"},
    {"batchisendirecv", "", ""},
    {"allgatherobject", "0", "object_list"},
    {"broadcastobjectlist", "", ""},
}};

const Collective* collectiveOf(const DumpEntry& entry) {
  const std::string_view operation = entry.operation;
  // torch.gather and Tensor.scatter are no communication.
  if (entry.pass != Pass::Forward || !isWordOf(operation.substr(0, operation.find('.')),
                                               "Distributed MintDistributed c10d MindSpeed")) {
    return nullptr;
  }
  const auto* found =
      std::ranges::find(kCollectives, plainOperation(operation), &Collective::operation);
  return found == kCollectives.end() ? nullptr : found;
}

/// "0" and what stands below it: "0.1".
bool isAt(std::string_view index, std::string_view place) {
  return !place.empty() && index.starts_with(place) &&
         (index.size() == place.size() || index[place.size()] == '.');
}

/// Functions that overwrite the tensor that they are called on.
bool overwrites(const DumpEntry& entry) {
  return entry.operation.ends_with('_') &&
         isWordOf(plainOperation(entry.operation),
                  "copy fill zero normal uniform bernoulli exponential random truncnormal");
}

const DumpRow* argument(const DumpUnit& unit,
                        std::size_t entry,
                        std::string_view keyword,
                        std::string_view position) {
  const DumpEntry& its = unit.entries[entry];
  for (const std::size_t row : its.rows()) {
    const DumpRow& candidate = unit.rows[row];
    const bool isValue = candidate.role == dumps::Role::Input && !candidate.value.empty();
    if (isValue && (candidate.index == keyword || candidate.index == position)) {
      return &candidate;
    }
  }
  return nullptr;
}

std::optional<std::int64_t> numberOf(const DumpRow* row) {
  return row == nullptr ? std::nullopt : parseNumber<std::int64_t>(row->value);
}

/// The other end of send or recv.
std::optional<std::int64_t> peerOf(const DumpUnit& unit, std::size_t entry) {
  for (const std::string_view keyword : {"src", "dst", "group_src", "group_dst"}) {
    if (const auto peer = numberOf(argument(unit, entry, keyword, "1"))) {
      return peer;
    }
  }
  return std::nullopt;
}

/// "[0, 1]", the ranks of its group; empty: not recorded, the group of all ranks.
std::string groupOf(const DumpUnit& unit, std::size_t entry) {
  const DumpEntry& its = unit.entries[entry];
  for (const std::size_t row : its.rows()) {
    // No other argument of a communication is a list that stands in one row.
    if (unit.rows[row].value.starts_with('[')) {
      return unit.rows[row].value;
    }
  }
  return "";
}

class CollectiveCollector {
 public:
  CollectiveCollector(const PairedCalls& pairs, const CulpritLimits& limits)
      : m_pairs(pairs), m_units(pairs.units()), m_limits(limits) {}

  [[nodiscard]] std::vector<CollectiveOutcome> run() && {
    const dumps::DumpUnit& baseline = *m_units.baseline;
    std::vector<bool> isPaired(baseline.entries.size());
    for (const EntryPair& pair : m_units.matching.entries) {
      isPaired[pair.baseline] = true;
    }
    std::vector<std::size_t> place(baseline.entries.size(), dumps::kNone);
    for (std::size_t entry = 0; entry < place.size(); ++entry) {
      if (!isCollective(baseline.entries[entry])) {
        continue;
      }
      // What the candidate lacks counts as well: other ranks may have recorded it on both sides.
      std::string key = keyOf(entry);
      if (isPaired[entry]) {
        place[entry] = m_outcomes.size();
        m_outcomes.push_back({.entry = entry,
                              .name = baseline.entries[entry].name,
                              .key = std::move(key),
                              .isSending = !isReceiving(entry),
                              .inputRow = {}});
      }
    }
    for (std::size_t row = 0; row < m_units.rows.size(); ++row) {
      const std::size_t outcome = place[m_pairs.entryIndex(m_units.matching.rows[row].entry)];
      if (outcome != dumps::kNone) {
        take(m_outcomes[outcome], row);
      }
    }
    return std::move(m_outcomes);
  }

 private:
  [[nodiscard]] bool isReceiving(std::size_t entry) const {
    return isWordOf(plainOperation(m_units.baseline->entries[entry].operation), "recv irecv");
  }

  [[nodiscard]] std::string keyOf(std::size_t entry) {
    std::string plain = plainOperation(m_units.baseline->entries[entry].operation);
    const bool isToOne = plain == "send" || plain == "isend" || isReceiving(entry);
    const auto own = m_units.baseline->axes.rank;
    const auto peer = peerOf(*m_units.baseline, entry);
    std::string key = fmt::format("{}|{}", plain, groupOf(*m_units.baseline, entry));
    if (isToOne && own && peer) {
      key = isReceiving(entry) ? fmt::format("message|{}>{}", *peer, *own)
                               : fmt::format("message|{}>{}", *own, *peer);
    } else if (isToOne) {
      key = isReceiving(entry) ? "message taken" : "message sent";
    }
    const std::size_t before = m_before[key]++;
    return fmt::format("{}|{}", key, before);
  }

  void take(CollectiveOutcome& outcome, std::size_t row) const {
    const RowDifference& difference = m_pairs.difference(row);
    const bool isOwn =
        m_pairs.isRead(row) && difference.basis >= Basis::Checksums && !m_pairs.isLeft(row);
    const double error = isOwn ? errorOf(difference) : 0;
    if (!isOwn || (!difference.isBroken() && error <= outcome.inputError)) {
      return;
    }
    outcome.inputRow = m_pairs.row(row).name;
    outcome.inputError = std::max(outcome.inputError, error);
    outcome.isInputBroken = outcome.isInputBroken || difference.isBroken();
    outcome.isInputDifferent = outcome.isInputDifferent || difference.isBroken() ||
                               error > roundingOf(difference.roundOff, m_limits);
  }

  const PairedCalls& m_pairs;
  const UnitComparison& m_units;
  const CulpritLimits& m_limits;
  std::unordered_map<std::string, std::size_t> m_before;  ///< of the same key
  std::vector<CollectiveOutcome> m_outcomes;
};

}  // namespace

bool isCollective(const DumpEntry& entry) {
  return collectiveOf(entry) != nullptr;
}

bool isFilled(const DumpUnit& unit, std::size_t entry, std::size_t row) {
  const DumpEntry& its = unit.entries[entry];
  const DumpRow& argument = unit.rows[row];
  if (argument.role != dumps::Role::Input) {
    return false;
  }
  if (overwrites(its)) {
    return argument.index == "0" || argument.index == "self";
  }
  const Collective* known = collectiveOf(its);
  if (known == nullptr) {
    return false;
  }
  if (known->operation == "broadcast") {
    const auto source = peerOf(unit, entry);
    return source && unit.axes.rank && *source != *unit.axes.rank;
  }
  return isAt(argument.index, known->position) || isAt(argument.index, known->keyword);
}

bool handsOutMemory(const DumpEntry& entry) {
  return entry.kind == dumps::EntryKind::Api &&
         isWordOf(plainOperation(entry.operation),
                  "empty emptylike newempty emptystrided newemptystrided emptypermuted");
}

std::vector<CollectiveOutcome> collectivesOf(const PairedCalls& pairs,
                                             const CulpritLimits& limits) {
  return CollectiveCollector(pairs, limits).run();
}

}  // namespace ulp::analysis
