#include "core/compat/msprobe/pairing.h"

#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <unordered_map>

#include "core/dumps/msprobe/entry_name.h"

namespace ulp::compat::msprobe {
namespace {

using dumps::kNone;
using dumps::msprobe::DumpJson;
using dumps::msprobe::EntryName;
using dumps::msprobe::EntryRecords;
using dumps::msprobe::Record;
using namespace std::string_view_literals;

/// What a record is looked up by; `index` in DumpJson::records.
struct Keyed {
  std::string key;
  std::size_t entry = 0;
  std::size_t index = 0;
};

void eraseAll(std::string& text, std::string_view part) {
  for (std::size_t place = text.find(part); place != std::string::npos; place = text.find(part)) {
    text.erase(place, part.size());
  }
}

/// "base.3.backward" and "base.backward.0" with another number.
std::string renumbered(const EntryName& name, std::size_t number) {
  const std::size_t dot = name.ending.find('.');
  const std::array parts{name.ending.substr(0, dot), name.ending.substr(dot + 1)};
  std::string text(name.base);
  for (const std::string_view part : parts) {
    text += '.';
    text += dumps::msprobe::parseCount(part) ? std::to_string(number) : std::string(part);
  }
  return text;
}

/// 26.x counts backward calls of a name in the order of the file, since recomputation makes their
/// numbers disagree.
std::vector<Keyed> keys26(const DumpJson& dump) {
  std::vector<Keyed> keys;
  keys.reserve(dump.records.size());
  std::unordered_map<std::string, std::size_t> backwardCalls;
  for (std::size_t entry = 0; entry < dump.entries.size(); ++entry) {
    const EntryRecords& calls = dump.entries[entry];
    const EntryName name = dumps::msprobe::parseEntryName(calls.name);
    const bool isKnown = !name.base.empty() || calls.name.ends_with(".debug");
    const bool isBackward = isKnown && name.pass == Pass::Backward;
    std::string replaced;
    if (isBackward) {
      replaced = renumbered(name, backwardCalls[std::string(name.base)]++);
    }
    for (std::size_t row = calls.first; isKnown && row < calls.first + calls.count; ++row) {
      std::string key = dump.records[row].name;
      if (isBackward) {
        eraseAll(key, calls.name);
        key.insert(0, replaced);
      }
      keys.push_back({std::move(key), entry, row});
    }
  }
  return keys;
}

/// 8.x looks up by name and shape, and knows gradients only without a number.
std::vector<Keyed> keys8(const DumpJson& dump) {
  std::vector<Keyed> keys;
  keys.reserve(dump.records.size());
  for (std::size_t entry = 0; entry < dump.entries.size(); ++entry) {
    const EntryRecords& calls = dump.entries[entry];
    if (dumps::msprobe::hasGradientNumber(calls.name)) {
      continue;
    }
    for (std::size_t row = calls.first; row < calls.first + calls.count; ++row) {
      const Record& record = dump.records[row];
      keys.push_back({record.name + '\n' + record.shape.value_or("None"), entry, row});
    }
  }
  return keys;
}

bool isFloatName(std::string_view dtype, Generation generation) {
  constexpr std::array kNames{"torch.float16"sv,
                              "torch.float32"sv,
                              "torch.bfloat16"sv,
                              "Float16"sv,
                              "Float32"sv,
                              "BFloat16"sv};
  if (dtype == "torch.float64" || dtype == "Float64") {
    return generation == Generation::V26;
  }
  return std::find(kNames.begin(), kNames.end(), dtype) != kNames.end();
}

bool fitDtypes(const Record& target, const Record& golden, Generation generation) {
  const std::string left = target.dtype.value_or("N/A");
  const std::string right = golden.dtype.value_or("N/A");
  return left == right || (isFloatName(left, generation) && isFloatName(right, generation));
}

std::vector<Pair> join(const std::vector<Keyed>& target, const std::vector<Keyed>& golden) {
  std::unordered_multimap<std::string_view, std::size_t> places;
  places.reserve(golden.size());
  for (std::size_t each = 0; each < golden.size(); ++each) {
    places.emplace(golden[each].key, each);
  }
  std::vector<Pair> pairs;
  pairs.reserve(target.size());
  std::vector<std::size_t> found;
  for (const Keyed& row : target) {
    const auto [from, to] = places.equal_range(row.key);
    found.clear();
    for (auto place = from; place != to; ++place) {
      found.push_back(place->second);
    }
    std::sort(found.begin(), found.end());
    for (const std::size_t place : found) {
      pairs.push_back({row.entry, row.index, golden[place].index});
    }
    if (found.empty()) {
      pairs.push_back({row.entry, row.index});
    }
  }
  return pairs;
}

/// A row that waits in a queue, by its place in the whole list.
class FuzzyWalk {
 public:
  FuzzyWalk(const std::vector<Keyed>& target, const std::vector<Keyed>& golden)
      : m_target(target), m_golden(golden) {}

  std::vector<Pair> run() {
    while (m_nextTarget < m_target.size() || m_nextGolden < m_golden.size()) {
      const bool hasTarget = append(m_targets, m_nextTarget, m_target.size());
      const bool hasGolden = append(m_goldens, m_nextGolden, m_golden.size());
      if (m_targets.empty() || m_goldens.empty()) {
        break;
      }
      match(hasTarget, hasGolden);
    }
    leaveUnmatched(m_targets.size());
    for (; m_nextTarget < m_target.size(); ++m_nextTarget) {
      m_pairs.push_back({m_target[m_nextTarget].entry, m_target[m_nextTarget].index});
    }
    return std::move(m_pairs);
  }

 private:
  static bool append(std::deque<std::size_t>& queue, std::size_t& next, std::size_t end) {
    if (next == end) {
      return false;
    }
    queue.push_back(next++);
    return true;
  }

  void match(bool hasTarget, bool hasGolden) {
    if (hasTarget || hasGolden) {
      const std::string& newest = m_target[m_targets.back()].key;
      const auto hit = std::find_if(m_goldens.begin(), m_goldens.end(), [&](std::size_t each) {
        return m_golden[each].key == newest;
      });
      if (hit != m_goldens.end()) {
        take(m_targets.size() - 1, static_cast<std::size_t>(hit - m_goldens.begin()));
        return;
      }
    }
    const std::string& newest = m_golden[m_goldens.back()].key;
    const auto hit = std::find_if(m_targets.begin(), m_targets.end() - 1, [&](std::size_t each) {
      return m_target[each].key == newest;
    });
    if (hit != m_targets.end() - 1) {
      take(static_cast<std::size_t>(hit - m_targets.begin()), m_goldens.size() - 1);
    }
  }

  void take(std::size_t inTargets, std::size_t inGoldens) {
    leaveUnmatched(inTargets);
    const Keyed& target = m_target[m_targets.front()];
    m_pairs.push_back({target.entry, target.index, m_golden[m_goldens[inGoldens]].index});
    m_targets.pop_front();
    m_goldens.erase(m_goldens.begin(),
                    m_goldens.begin() + static_cast<std::ptrdiff_t>(inGoldens) + 1);
  }

  void leaveUnmatched(std::size_t count) {
    for (; count > 0; --count) {
      const Keyed& row = m_target[m_targets.front()];
      m_pairs.push_back({row.entry, row.index});
      m_targets.pop_front();
    }
  }

  const std::vector<Keyed>& m_target;
  const std::vector<Keyed>& m_golden;
  std::deque<std::size_t> m_targets;
  std::deque<std::size_t> m_goldens;
  std::size_t m_nextTarget = 0;
  std::size_t m_nextGolden = 0;
  std::vector<Pair> m_pairs;
};

/// In 8.x the shape stands behind a line break, and stays.
void shortenKeys(std::vector<Keyed>& keys) {
  for (Keyed& row : keys) {
    const std::size_t end = row.key.find('\n');
    const std::string tail = end == std::string::npos ? std::string() : row.key.substr(end);
    row.key = shortened(std::string_view(row.key).substr(0, end)) + tail;
  }
}

void mapKeys(std::vector<Keyed>& keys, const DumpJson& target, const NameMapping& mapping) {
  const std::unordered_map<std::string, std::string> byName(mapping.begin(), mapping.end());
  for (Keyed& row : keys) {
    if (const auto found = byName.find(target.records[row.index].name); found != byName.end()) {
      row.key = found->second;
    }
  }
}

}  // namespace

std::string shortened(std::string_view name) {
  std::size_t place = name.find("forward");
  place = place == std::string_view::npos ? name.find("backward") : place;
  if (place == std::string_view::npos || place < 2) {
    return std::string(name);
  }
  const std::string_view before = name.substr(0, place - 1);
  const std::size_t dot = before.rfind('.');
  const std::string_view kept =
      dot == std::string_view::npos ? std::string_view() : before.substr(0, dot);
  return std::string(kept) + '.' + std::string(name.substr(place));
}

std::string cellMapped(std::string_view name, const NameMapping& mapping) {
  std::size_t end = std::string_view::npos;
  for (const std::string_view mark : {".forward"sv, ".backward"sv, ".parameters_grad"sv}) {
    end = std::min(end, name.find(mark));
  }
  if (end == std::string_view::npos) {
    return "N/A";
  }
  const std::size_t dot = std::min(name.find('.'), end);
  std::string prefix(name.substr(0, dot));
  prefix = prefix == "Cell" ? "Module" : prefix;
  std::string scope(name.substr(dot + 1, end > dot ? end - dot - 1 : 0));
  const auto whole = std::find_if(
      mapping.begin(), mapping.end(), [&](const auto& each) { return each.first == scope; });
  if (whole != mapping.end()) {
    scope = whole->second;
  } else {
    for (const auto& [from, to] : mapping) {
      if (const std::size_t place = scope.find(from); place != std::string::npos) {
        scope.replace(place, from.size(), to);
      }
    }
  }
  return prefix + '.' + scope + std::string(name.substr(end));
}

std::vector<Pair> pairRecords(const DumpJson& target,
                              const DumpJson& golden,
                              const PairingRule& rule) {
  const bool is26 = rule.generation == Generation::V26;
  std::vector<Keyed> left = is26 ? keys26(target) : keys8(target);
  std::vector<Keyed> right = is26 ? keys26(golden) : keys8(golden);
  if (!rule.cellMapping.empty()) {
    for (Keyed& row : left) {
      row.key = cellMapped(row.key, rule.cellMapping);
    }
  }
  if (!rule.dataMapping.empty()) {
    mapKeys(left, target, rule.dataMapping);
  }
  if (rule.isFuzzy) {
    shortenKeys(left);
    shortenKeys(right);
  }
  std::vector<Pair> pairs = rule.isFuzzy ? FuzzyWalk(left, right).run() : join(left, right);
  for (Pair& pair : pairs) {
    if (pair.golden != kNone && rule.dataMapping.empty() &&
        !fitDtypes(target.records[pair.target], golden.records[pair.golden], rule.generation)) {
      pair.golden = kNone;
    }
  }
  return pairs;
}

}  // namespace ulp::compat::msprobe
