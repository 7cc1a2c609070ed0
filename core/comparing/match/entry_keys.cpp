#include "core/comparing/match/entry_keys.h"

#include <algorithm>
#include <cstddef>
#include <fmt/format.h>
#include <future>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/base/stop_pace.h"
#include "core/base/text/contains_text.h"
#include "core/comparing/match/row_identity.h"
#include "core/dumps/model/dump.h"

namespace ulp::analysis {
namespace {

using dumps::DumpEntry;
using dumps::DumpUnit;
using dumps::EntryKind;

/// `path` up to and with `count` more of its parts from `from` on; npos: it has no more.
std::size_t endOfParts(std::string_view path, std::size_t from, std::size_t count) {
  std::size_t end = from;
  for (; count > 0; --count) {
    end = path.find('.', end);
    if (end == std::string_view::npos) {
      return count == 1 ? path.size() : std::string_view::npos;
    }
    end += count > 1 ? 1 : 0;
  }
  return end;
}

std::size_t partsIn(std::string_view path) {
  return static_cast<std::size_t>(std::ranges::count(path, '.')) + 1;
}

/// torch.utils.checkpoint runs its function again, or an autograd function of a framework does so
/// in its backward(), which torch/autograd/function.py calls.
bool isRecomputing(const std::vector<std::string>& frames) {
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const std::string& frame = frames[i];
    if (containsText(frame, "torch/utils/checkpoint.py") &&
        containsText(frame, "in recompute_fn")) {
      return true;
    }
    const bool isBackward = containsText(frame, ", in backward") ||
                            containsText(frame, "in checkpoint_function_backward");
    if (isBackward && i + 1 < frames.size() &&
        containsText(frames[i + 1], "torch/autograd/function.py")) {
      return true;
    }
  }
  return false;
}

class Finder {
 public:
  explicit Finder(const DumpUnit& unit) : m_unit(unit), m_is(unit.entries.size()) {}

  [[nodiscard]] std::vector<bool> find() && {
    markBySelf();
    if (std::ranges::find(m_is, true) == m_is.end()) {
      markByOrder();
    }
    if (std::ranges::find(m_is, true) == m_is.end()) {
      return {};
    }
    markInside();
    return std::move(m_is);
  }

 private:
  [[nodiscard]] bool isForward(std::size_t entry) const {
    return m_unit.entries[entry].pass == Pass::Forward &&
           m_unit.entries[entry].kind != EntryKind::Gradient;
  }

  void markBySelf() {
    std::vector<bool> stacks(m_unit.stacks.size());
    std::transform(m_unit.stacks.begin(), m_unit.stacks.end(), stacks.begin(), isRecomputing);
    for (std::size_t i = 0; i < m_is.size(); ++i) {
      const DumpEntry& entry = m_unit.entries[i];
      m_is[i] = isForward(i) && (entry.name.ends_with(".recomputed") ||
                                 (entry.stack < stacks.size() && stacks[entry.stack]));
    }
  }

  /// Of each module the calls in their order: forward and backward.
  void markByOrder() {
    std::unordered_map<std::string_view, std::vector<std::size_t>> calls;
    std::size_t firstBackward = m_is.size();
    for (std::size_t i = 0; i < m_is.size(); ++i) {
      const DumpEntry& entry = m_unit.entries[i];
      const bool isBackward = entry.pass == Pass::Backward;
      if (isBackward && firstBackward == m_is.size()) {
        firstBackward = i;
      }
      if (entry.kind == EntryKind::Module && (isBackward || isForward(i))) {
        calls[entry.module].push_back(i);
      }
    }
    for (const auto& [module, its] : calls) {
      markPairs(its, firstBackward);
    }
  }

  void markPairs(const std::vector<std::size_t>& calls, std::size_t firstBackward) {
    std::vector<std::size_t> again;
    std::size_t backward = 0;
    for (std::size_t i = 0; i < calls.size(); ++i) {
      if (isForward(calls[i])) {
        continue;
      }
      ++backward;
      if (i > 0 && isForward(calls[i - 1]) && calls[i - 1] > firstBackward) {
        again.push_back(calls[i - 1]);
      }
    }
    if (again.size() == backward && calls.size() == 3 * backward) {
      for (const std::size_t entry : again) {
        m_is[entry] = true;
      }
    }
  }

  void markInside() {
    for (std::size_t i = 0; i < m_is.size(); ++i) {
      m_is[i] = m_is[i] ||
                (isForward(i) &&
                 dumps::anyEnclosing(m_unit, i, [this](std::size_t call) { return m_is[call]; }));
    }
  }

  const DumpUnit& m_unit;
  std::vector<bool> m_is;
};

/// Below this, starting a thread costs more than it saves.
constexpr std::size_t kEntriesWorthAThread = 2000;

}  // namespace

ModuleNames::ModuleNames(const dumps::DumpUnit& unit, const SiteMapping& mapping)
    : m_mapping(mapping) {
  if (mapping.dumps().layers.empty()) {
    return;
  }
  for (const dumps::DumpEntry& entry : unit.entries) {
    if (entry.kind == dumps::EntryKind::Module) {
      m_types.emplace(entry.module, entry.operation);
    }
  }
}

const std::string& ModuleNames::mapped(const std::string& path, const std::string& type) {
  std::string key = path;
  key += '\n';
  key += type;
  const auto [place, isNew] = m_known.try_emplace(std::move(key));
  if (isNew) {
    std::string name = m_mapping.dumps().layers.empty() ? path : byLayers(path);
    if (!m_mapping.dumps().cells.empty()) {
      name = byCells(name, type);
    }
    place->second = m_mapping.hasNames()
                        ? m_error.valueOf([&] { return m_mapping.map(name); }, name)
                        : std::move(name);
  }
  return place->second;
}

/// By the rule of the parent's class `type`, the longest one that fits.
ModuleNames::Child ModuleNames::childOf(const std::string& type,
                                        const std::string& path,
                                        std::size_t at) const {
  Child child{.end = endOfParts(path, at, 1)};
  child.name = path.substr(at, child.end - at);
  std::size_t longest = 0;
  for (const ClassRenames& renames : m_mapping.dumps().layers) {
    if (renames.type != type) {
      continue;
    }
    for (const auto& [from, to] : renames.children) {
      const std::size_t parts = partsIn(from);
      const std::size_t end = endOfParts(path, at, parts);
      if (parts > longest && end != std::string::npos && path.compare(at, end - at, from) == 0) {
        longest = parts;
        child = {.end = end, .name = to};
      }
    }
  }
  return child;
}

/// From the top, each child by the class of its parent.
std::string ModuleNames::byLayers(const std::string& path) const {
  std::string result;
  std::string type = "TopLayer";
  for (std::size_t at = 0; at < path.size();) {
    const auto [end, name] = childOf(type, path, at);
    result += (result.empty() || name.empty() ? "" : ".") + name;
    const auto known = m_types.find(path.substr(0, end));
    const std::size_t last = path.rfind('.', end - 1);
    const std::size_t begin = last == std::string::npos ? 0 : last + 1;
    type = known != m_types.end() ? known->second : path.substr(begin, end - begin);
    at = end + 1;
  }
  return result;
}

/// The whole of "path.Class", else every part of it once.
std::string ModuleNames::byCells(const std::string& path, const std::string& type) const {
  const NamePairs& cells = m_mapping.dumps().cells;
  std::string name = type.empty() ? path : path + '.' + type;
  const auto whole = std::ranges::find(cells, name, &NamePairs::value_type::first);
  if (whole != cells.end()) {
    name = whole->second;
  } else {
    for (const auto& [from, to] : cells) {
      if (const std::size_t place = name.find(from); place != std::string::npos) {
        name.replace(place, from.size(), to);
      }
    }
  }
  return type.empty() ? name : name.substr(0, std::min(name.rfind('.'), name.size()));
}

std::vector<bool> recomputedCalls(const DumpUnit& unit) {
  return Finder(unit).find();
}

bool renames(const SiteMapping& mapping) {
  return mapping.hasNames() || !mapping.dumps().cells.empty() || !mapping.dumps().layers.empty();
}

const DumpEntry& scopeOf(const dumps::DumpUnit& unit, const DumpEntry& entry) {
  const bool isEnclosed = entry.kind == EntryKind::Api && entry.parent != dumps::kNone;
  return isEnclosed ? unit.entries[entry.parent] : entry;
}

const std::string& pathOf(const dumps::DumpUnit& unit, const DumpEntry& entry) {
  return pathOrName(scopeOf(unit, entry));
}

EntryKeys::EntryKeys(const dumps::DumpUnit& unit,
                     const SiteMapping* mapping,
                     std::vector<bool> recomputed,
                     KeyRules rules)
    : m_unit(unit),
      m_recomputed(std::move(recomputed)),
      m_rules(rules),
      m_names(mapping == nullptr ? std::nullopt : std::optional(ModuleNames(unit, *mapping))) {
  if (rules.countsCalls) {
    countCalls();
  }
  m_keys.reserve(unit.entries.size());
  m_places.reserve(unit.entries.size());
  std::unordered_map<std::string, std::size_t> repeats;
  StopPace pace;
  for (std::size_t i = 0; i < unit.entries.size() && !m_isStopped; ++i) {
    m_isStopped = pace.isStopped();
    EntryKey key = base(i);
    const std::string text = key.text();
    if (!m_places.insert(text, i).second && !rules.leavesCallsOut) {
      key.after += fmt::format("#{}", ++repeats[text]);
      m_places.insert(key.text(), i);
    }
    m_keys.push_back(std::move(key));
  }
  m_keys.resize(unit.entries.size());
}

Result<> EntryKeys::check() const {
  if (m_isStopped) {
    return stopped();
  }
  return m_names ? m_names->check() : Result<>();
}

std::size_t EntryKeys::find(const std::string& text) const {
  return m_places.find(text).value_or(dumps::kNone);
}

std::string EntryKeys::mapped(const DumpEntry& entry, const std::string& path) {
  if (!m_names) {
    return path;
  }
  const bool hasClass = entry.kind == EntryKind::Module || entry.kind == EntryKind::Gradient;
  return m_names->mapped(path, hasClass ? entry.operation : std::string());
}

void EntryKeys::countCalls() {
  std::unordered_map<std::string, std::uint64_t> counts;
  for (std::size_t i = 0; i < m_unit.entries.size(); ++i) {
    const DumpEntry& entry = m_unit.entries[i];
    m_calls.push_back(counts[fmt::format("{}|{}|{}|{}",
                                         static_cast<int>(entry.kind),
                                         toString(entry.pass),
                                         isAgain(i),
                                         entry.module)]++);
  }
}

std::string EntryKeys::call(std::size_t index) const {
  if (m_rules.leavesCallsOut) {
    return "";
  }
  return fmt::format("{}{}",
                     isAgain(index) ? "again " : "",
                     m_calls.empty() ? m_unit.entries[index].call : m_calls[index]);
}

/// The enclosing module call; its own key does for it, and tells calls of the same module apart.
std::string EntryKeys::scopeCall(const DumpEntry& entry) const {
  return entry.parent == dumps::kNone ? "" : "#" + call(entry.parent);
}

EntryKey EntryKeys::base(std::size_t index) {
  const DumpEntry& entry = m_unit.entries[index];
  const std::string pass(toString(entry.pass));
  switch (entry.kind) {
    case EntryKind::Module:
      return {
          fmt::format("m|{}|", pass), mapped(entry, entry.module), fmt::format("|{}", call(index))};
    case EntryKind::Gradient:
      return {fmt::format("g|{}|", pass), mapped(entry, entry.module), ""};
    case EntryKind::Api: {
      const DumpEntry& scope = scopeOf(m_unit, entry);
      const bool isOwnAgain = &scope == &entry && isAgain(index);
      return {
          fmt::format("a|{}|", pass),
          mapped(scope, scope.module),
          fmt::format("{}|{}{}", scopeCall(entry), isOwnAgain ? "again " : "", entry.operation)};
    }
    case EntryKind::Saved:
    case EntryKind::Tensor:
      break;
  }
  return {fmt::format("t|{}|", pass), mapped(entry, entry.name), ""};
}

PairedKeys pairedKeys(const DumpUnit& baseline,
                      const DumpUnit& candidate,
                      const SiteMapping& mapping,
                      bool leavesCallsOut) {
  const std::vector<bool> baselineAgain = recomputedCalls(baseline);
  const std::vector<bool> candidateAgain = recomputedCalls(candidate);
  const bool isRecomputed = !baselineAgain.empty() || !candidateAgain.empty();
  const KeyRules rules{.countsCalls = !leavesCallsOut && (mapping.dumps().isFuzzy || isRecomputed),
                       .leavesCallsOut = leavesCallsOut};
  const bool isWorthAThread = baseline.entries.size() > kEntriesWorthAThread;
  const auto makeCandidate = [&, stop = currentStop()] {
    const StopScope scope(stop);
    return EntryKeys(candidate, renames(mapping) ? &mapping : nullptr, candidateAgain, rules);
  };
  auto made =
      std::async(isWorthAThread ? std::launch::async : std::launch::deferred, makeCandidate);
  EntryKeys own(baseline, nullptr, baselineAgain, rules);
  return {std::move(own), made.get()};
}

}  // namespace ulp::analysis
