#include "core/compat/msprobe/pairs/pairing.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <unordered_map>

#include <yaml-cpp/yaml.h>

#include "core/base/files/atomic_file.h"
#include "core/base/text/split.h"
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

/// Where asked to, backward calls of a name are counted in the order of the file, since
/// recomputation makes their numbers disagree.
std::vector<Keyed> keys26(const DumpJson& dump, bool isRenumbered) {
  std::vector<Keyed> keys;
  keys.reserve(dump.records.size());
  std::unordered_map<std::string, std::size_t> backwardCalls;
  for (std::size_t entry = 0; entry < dump.entries.size(); ++entry) {
    const EntryRecords& calls = dump.entries[entry];
    const EntryName name = dumps::msprobe::parseEntryName(calls.name);
    const bool isKnown = !name.base.empty() || calls.name.ends_with(".debug");
    const bool isReplaced = isRenumbered && isKnown && name.pass == Pass::Backward;
    std::string replaced;
    if (isReplaced) {
      replaced = renumbered(name, backwardCalls[std::string(name.base)]++);
    }
    for (std::size_t row = calls.first; isKnown && row < calls.first + calls.count; ++row) {
      std::string key = dump.records[row].name;
      if (isReplaced) {
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
  return std::ranges::find(kNames, dtype) != kNames.end();
}

/// "int" of "torch.int8" and "Int64": of a dump of MindSpore beside one of PyTorch the width is not
/// asked for. Nothing where the name is none of theirs.
std::string_view kindOf(std::string_view dtype) {
  constexpr std::string_view kTorch = "torch.";
  const bool isTorch = dtype.starts_with(kTorch);
  const std::string_view name = isTorch ? dtype.substr(kTorch.size()) : dtype;
  struct Kind {
    std::string_view kind;
    std::string_view torch;      ///< names, each between blanks
    std::string_view mindspore;  ///< likewise
  };
  constexpr std::array kKinds{
      Kind{"int",
           " int8 uint8 int16 uint16 int32 uint32 int64 uint64 ",
           " Int8 UInt8 Int16 UInt16 Int32 UInt32 Int64 UInt64 "},
      Kind{"float", " float16 float32 float64 bfloat16 ", " Float16 Float32 Float64 BFloat16 "},
      Kind{"bool", " bool ", " Bool "},
      Kind{"complex", " complex64 complex128 ", " Complex64 Complex128 "}};
  const std::string wanted = ' ' + std::string(name) + ' ';
  for (const Kind& each : kKinds) {
    if ((isTorch ? each.torch : each.mindspore).find(wanted) != std::string_view::npos) {
      return each.kind;
    }
  }
  return {};
}

/// Which dtypes may be compared.
class DtypeRule {
 public:
  DtypeRule(const DumpJson& target, const DumpJson& golden, Generation generation)
      : m_generation(generation),
        m_isAcross(target.framework != "pytorch" && golden.framework == "pytorch") {}

  [[nodiscard]] bool fits(const Record& target, const Record& golden) const {
    const std::string left = target.dtype.value_or("N/A");
    const std::string right = golden.dtype.value_or("N/A");
    if (left == right) {
      return true;
    }
    if (m_isAcross) {
      return !kindOf(left).empty() && kindOf(left) == kindOf(right);
    }
    return isFloatName(left, m_generation) && isFloatName(right, m_generation);
  }

 private:
  Generation m_generation;
  bool m_isAcross;
};

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
    std::ranges::sort(found);
    for (const std::size_t place : found) {
      pairs.push_back({row.entry, row.index, golden[place].index});
    }
    if (found.empty()) {
      pairs.push_back({row.entry, row.index});
    }
  }
  return pairs;
}

/// The rows of one side that wait for their counterpart: always a run of its list.
class Waiting {
 public:
  explicit Waiting(const std::vector<Keyed>& rows) : m_rows(rows) {
    for (std::size_t each = 0; each < rows.size(); ++each) {
      m_places[rows[each].key].push_back(each);
    }
  }

  [[nodiscard]] bool isEmpty() const { return m_first == m_next; }
  [[nodiscard]] bool isComplete() const { return m_next == m_rows.size(); }
  [[nodiscard]] const Keyed& operator[](std::size_t place) const { return m_rows[place]; }
  [[nodiscard]] std::size_t first() const { return m_first; }
  [[nodiscard]] std::size_t next() const { return m_next; }
  [[nodiscard]] const std::string& newestKey() const { return m_rows[m_next - 1].key; }
  /// The oldest row that waits with this key.
  [[nodiscard]] std::optional<std::size_t> find(std::string_view key) const {
    const auto known = m_places.find(key);
    if (known == m_places.end()) {
      return std::nullopt;
    }
    const auto place = std::ranges::lower_bound(known->second, m_first);
    return place != known->second.end() && *place < m_next ? std::optional(*place) : std::nullopt;
  }

  void grow() { m_next += isComplete() ? 0U : 1U; }
  void dropThrough(std::size_t place) { m_first = place + 1; }

 private:
  const std::vector<Keyed>& m_rows;
  std::unordered_map<std::string_view, std::vector<std::size_t>> m_places;
  std::size_t m_first = 0;
  std::size_t m_next = 0;
};

class FuzzyWalk {
 public:
  FuzzyWalk(const std::vector<Keyed>& target, const std::vector<Keyed>& golden)
      : m_targets(target), m_goldens(golden) {}

  std::vector<Pair> run() {
    while (!m_targets.isComplete() || !m_goldens.isComplete()) {
      m_targets.grow();
      m_goldens.grow();
      if (m_targets.isEmpty() || m_goldens.isEmpty()) {
        break;
      }
      match();
    }
    // msprobe's own rule: where the walk ended early, rows that never waited are in no table.
    leaveUnmatched(m_targets.next());
    return std::move(m_pairs);
  }

 private:
  void match() {
    if (const auto golden = m_goldens.find(m_targets.newestKey())) {
      take(m_targets.next() - 1, *golden);
    } else if (const auto target = m_targets.find(m_goldens.newestKey())) {
      take(*target, m_goldens.next() - 1);
    }
  }

  void take(std::size_t target, std::size_t golden) {
    leaveUnmatched(target);
    m_pairs.push_back({m_targets[target].entry, m_targets[target].index, m_goldens[golden].index});
    m_targets.dropThrough(target);
    m_goldens.dropThrough(golden);
  }

  void leaveUnmatched(std::size_t end) {
    for (std::size_t each = m_targets.first(); each < end; ++each) {
      m_pairs.push_back({m_targets[each].entry, m_targets[each].index});
    }
  }

  Waiting m_targets;
  Waiting m_goldens;
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

void replaceFirst(std::string& text, std::string_view from, std::string_view to) {
  if (const std::size_t place = text.find(from); place != std::string::npos) {
    text.replace(place, from.size(), to);
  }
}

/// "fc1.Dense" of "Module.fc1.Dense.forward.0.input.0".
std::string scopeOf(std::string_view name) {
  const std::string_view scope = name.substr(name.find('.') + 1);  // npos + 1 is 0
  std::size_t end = std::string_view::npos;
  for (const std::string_view mark : {".forward."sv, ".backward."sv, ".parameters_grad."sv}) {
    end = std::min(end, scope.find(mark));
  }
  return std::string(scope.substr(0, end));
}

std::string mappedScope(const std::string& scope, const NameMapping& mapping) {
  const auto whole = std::ranges::find(mapping, scope, &NameMapping::value_type::first);
  if (whole != mapping.end()) {
    return whole->second;
  }
  std::string mapped = scope;
  for (const auto& [from, to] : mapping) {
    replaceFirst(mapped, from, to);
  }
  return mapped;
}

}  // namespace

std::string shortened(std::string_view name) {
  const std::string_view word =
      name.find("forward") != std::string_view::npos ? "forward"sv : "backward"sv;
  const std::size_t place = name.find(word);
  if (place == std::string_view::npos) {
    return std::string(name);
  }
  std::string_view before = name.substr(0, place);
  constexpr int kCut = 2;  // what is before the word, mostly nothing, and the call or class
  for (int each = 0; each < kCut; ++each) {
    before = before.substr(0, before.rfind('.'));
  }
  // msprobe's own rule: a module called feed_forward has the word twice, and only what stands
  // between the two is kept.
  const std::string_view behind = name.substr(place + word.size());
  std::string text(before);
  text += '.';
  text += word;
  text += behind.substr(0, behind.find(word));
  return text;
}

std::string cellMapped(std::string_view name, const NameMapping& mapping) {
  const auto has = [&](std::string_view part) { return name.find(part) != std::string_view::npos; };
  const auto parts = split(name, '.');
  if (!has(".forward.") && !has(".backward.") &&
      std::ranges::find(parts, "parameters_grad"sv) == parts.end()) {
    return "N/A";
  }
  std::string mapped(name);
  // msprobe's own rule: wherever it stands, also in "LSTMCell".
  replaceFirst(mapped, "Cell", "Module");
  const std::string scope = scopeOf(mapped);
  if (const std::string other = mappedScope(scope, mapping); other != scope) {
    replaceFirst(mapped, scope, other);
  }
  return mapped;
}

Result<NameMapping> readNameMapping(const std::filesystem::path& path) {
  constexpr std::size_t kLimit = std::size_t{64} << 20;
  auto text = ULP_TRY(readTextFile(path, kLimit));
  NameMapping mapping;
  const auto parsed = guarded([&] {
    const YAML::Node root = YAML::Load(text);
    if (!root.IsMap()) {
      return false;
    }
    for (const auto& each : root) {
      mapping.emplace_back(each.first.as<std::string>(), each.second.as<std::string>());
    }
    return true;
  });
  if (!parsed || !*parsed || mapping.empty()) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("{}: is not a list of `name of the target: name of the golden dump`{}",
                            path.string(),
                            parsed ? "" : "; " + parsed.error().message()));
  }
  return mapping;
}

std::vector<Pair> pairRecords(const DumpJson& target,
                              const DumpJson& golden,
                              const PairingRule& rule) {
  const bool is26 = rule.generation == Generation::V26;
  const bool hasDataMapping = !rule.dataMapping.empty();
  // msprobe's own rule: fuzzy matching takes the names as they are, and mappings those of the
  // target.
  const bool isTargetRenumbered = !rule.isFuzzy && !hasDataMapping && rule.cellMapping.empty();
  std::vector<Keyed> left = is26 ? keys26(target, isTargetRenumbered) : keys8(target);
  std::vector<Keyed> right = is26 ? keys26(golden, !rule.isFuzzy) : keys8(golden);
  if (!rule.cellMapping.empty()) {
    for (Keyed& row : left) {
      row.key = cellMapped(row.key, rule.cellMapping);
    }
  } else if (hasDataMapping) {
    mapKeys(left, target, rule.dataMapping);
  }
  const bool isWalked = rule.isFuzzy && !hasDataMapping;
  if (isWalked) {
    shortenKeys(left);
    shortenKeys(right);
  }
  std::vector<Pair> pairs = isWalked ? FuzzyWalk(left, right).run() : join(left, right);
  const DtypeRule dtypes(target, golden, rule.generation);
  for (Pair& pair : pairs) {
    if (pair.golden != kNone && !hasDataMapping &&
        !dtypes.fits(target.records[pair.target], golden.records[pair.golden])) {
      pair.golden = kNone;
    }
  }
  return pairs;
}

}  // namespace ulp::compat::msprobe
