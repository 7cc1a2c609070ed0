#include "core/comparing/match/mapping_names.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/base/text/split.h"
#include "core/comparing/match/row_identity.h"

namespace ulp::analysis {
namespace {

using dumps::DumpEntry;
using dumps::DumpRow;
using dumps::DumpUnit;
using dumps::EntryKind;

/// Behind it a name goes on with what is below it: a module, a row, a later call.
constexpr std::string_view kBoundary = "(?=[.#\\[]|$)";
/// References to groups have one digit.
constexpr std::size_t kMostReferences = 9;

EntryKind nameKind(EntryKind kind) {
  switch (kind) {
    case EntryKind::Module:
    case EntryKind::Gradient:
      return EntryKind::Module;
    case EntryKind::Api:
      return EntryKind::Api;
    case EntryKind::Saved:
    case EntryKind::Tensor:
      break;
  }
  return EntryKind::Tensor;
}

OpenName nameOf(const DumpEntry& entry) {
  OpenName name{.name = entry.name, .kind = nameKind(entry.kind)};
  if (name.kind == EntryKind::Module) {
    name.name = entry.module;
  } else if (name.kind == EntryKind::Api) {
    name.name = fmt::format("{}.{}", entry.operation, entry.call);
    name.module = entry.module;
  }
  return name;
}

/// matchUnits() tells calls of the same name apart by pass and number.
bool pairByName(const DumpUnit& baseline,
                const OpenName& own,
                const DumpUnit& candidate,
                const OpenName& other) {
  if (own.kind != other.kind || own.kind == EntryKind::Api) {
    return false;
  }
  for (const std::size_t left : own.entries) {
    for (const std::size_t right : other.entries) {
      const DumpEntry& a = baseline.entries[left];
      const DumpEntry& b = candidate.entries[right];
      const bool isSameCall = own.kind == EntryKind::Tensor || a.call == b.call;
      if (a.kind == b.kind && a.pass == b.pass && isSameCall) {
        return true;
      }
    }
  }
  return false;
}

struct SitePair {
  std::string baseline;
  std::string candidate;
  bool isOutput = false;
};

/// Sites of a tensor that both calls have, of an output where there is one.
std::optional<SitePair> sitesOf(const DumpUnit& baseline,
                                std::size_t left,
                                const DumpUnit& candidate,
                                std::size_t right) {
  const DumpEntry& a = baseline.entries[left];
  const DumpEntry& b = candidate.entries[right];
  std::optional<SitePair> found;
  for (const std::size_t r : a.rows()) {
    const DumpRow& row = baseline.rows[r];
    for (const std::size_t s : b.rows()) {
      const DumpRow& partner = candidate.rows[s];
      // A tensor of which nobody knows what made it goes with any.
      const bool isSameRole = row.role == partner.role || row.role == dumps::Role::Value ||
                              partner.role == dumps::Role::Value;
      const bool isOutput = !isRead(row.role) && !isRead(partner.role);
      if (!isSameRole || (found && (found->isOutput || !isOutput))) {
        continue;
      }
      const Site site = siteOf(baseline, left, r);
      const Site meant = siteOf(candidate, right, s);
      if (site.pass == meant.pass) {
        found = SitePair{site.name, meant.name, isOutput};
      }
    }
  }
  return found;
}

bool isNumber(std::string_view part) {
  return !part.empty() && part.find_first_not_of("0123456789") == std::string_view::npos;
}

/// `text` with `escape` before each of its characters that are `special`.
std::string escaped(std::string_view text, std::string_view special, char escape) {
  std::string all;
  for (const char c : text) {
    if (special.find(c) != std::string_view::npos) {
      all += escape;
    }
    all += c;
  }
  return all;
}

std::string asPattern(std::string_view text) {
  return escaped(text, R"(.^$|()[]{}*+?\)", '\\');
}

std::string asReplacement(std::string_view text) {
  return escaped(text, "$", '$');
}

using Segments = std::span<const std::string_view>;

std::string joined(Segments parts) {
  return fmt::format("{}", fmt::join(parts, "."));
}

/// Where both end alike: what they begin with.
std::optional<RenameRule> prefixRule(Segments candidate, Segments baseline) {
  std::size_t same = 0;
  while (same < candidate.size() && same < baseline.size() &&
         candidate[candidate.size() - 1 - same] == baseline[baseline.size() - 1 - same]) {
    ++same;
  }
  if (same == candidate.size() && same > 0) {
    --same;  // Something has to be matched.
  }
  if (same == 0) {
    return std::nullopt;
  }
  const Segments from = candidate.first(candidate.size() - same);
  const Segments to = baseline.first(baseline.size() - same);
  if (std::ranges::any_of(from, isNumber)) {
    return std::nullopt;  // It would be a rule of one layer.
  }
  std::string replace = asReplacement(joined(to));
  if (!to.empty()) {
    replace += '.';
  }
  return RenameRule{fmt::format("^{}\\.", asPattern(joined(from))), std::move(replace)};
}

/// The group of the candidate's pattern that is the number at `place` of the baseline's name: the
/// one of equal value that stands nearest to the same place among the numbers; 0: none.
std::size_t groupFor(std::string_view number, std::size_t place, Segments numbers) {
  std::size_t best = 0;
  std::size_t distance = numbers.size() + place + 1;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::size_t away = i > place ? i - place : place - i;
    if (numbers[i] == number && away < distance) {
      best = i + 1;
      distance = away;
    }
  }
  return best;
}

/// One for every number that both names have.
std::optional<RenameRule> numberRule(Segments candidate, Segments baseline) {
  std::vector<std::string_view> numbers;
  RenameRule rule{"^", ""};
  for (std::size_t i = 0; i < candidate.size(); ++i) {
    rule.match += i == 0 ? "" : "\\.";
    if (isNumber(candidate[i])) {
      numbers.push_back(candidate[i]);
      rule.match += "(\\d+)";
    } else {
      rule.match += asPattern(candidate[i]);
    }
  }
  rule.match += kBoundary;
  std::size_t place = 0;
  std::set<std::size_t> used;
  for (std::size_t i = 0; i < baseline.size(); ++i) {
    rule.replace += i == 0 ? "" : ".";
    const std::size_t group = isNumber(baseline[i]) ? groupFor(baseline[i], place++, numbers) : 0;
    if (group != 0) {
      used.insert(group);
    }
    rule.replace += group != 0 ? fmt::format("${}", group) : asReplacement(baseline[i]);
  }
  const bool isMeant = !used.empty() && used.size() == numbers.size();
  return isMeant && numbers.size() <= kMostReferences ? std::optional(std::move(rule))
                                                      : std::nullopt;
}

}  // namespace

std::vector<OpenName> openNames(const DumpUnit& unit, std::span<const std::size_t> entries) {
  std::vector<OpenName> names;
  std::unordered_map<std::string, std::size_t> places;
  for (const std::size_t index : entries) {
    OpenName name = nameOf(unit.entries[index]);
    std::string key = fmt::format("{}|{}", toString(name.kind), name.name);
    const auto [place, isNew] = places.emplace(std::move(key), names.size());
    if (isNew) {
      names.push_back(std::move(name));
    }
    names[place->second].entries.push_back(index);
  }
  return names;
}

std::optional<NamePair> pairOf(const DumpUnit& baseline,
                               const OpenName& own,
                               const DumpUnit& candidate,
                               const OpenName& other) {
  if (pairByName(baseline, own, candidate, other)) {
    return NamePair{.candidate = other.name, .baseline = own.name};
  }
  std::optional<SitePair> found;
  for (const std::size_t left : own.entries) {
    for (const std::size_t right : other.entries) {
      auto sites =
          found && found->isOutput ? std::nullopt : sitesOf(baseline, left, candidate, right);
      if (sites && (!found || sites->isOutput)) {
        found = std::move(sites);
      }
    }
  }
  if (!found) {
    return std::nullopt;
  }
  return NamePair{.candidate = std::move(found->candidate), .baseline = std::move(found->baseline)};
}

std::optional<RenameRule> generalised(const NamePair& pair) {
  if (pair.candidate == pair.baseline || pair.candidate.empty() || pair.baseline.empty()) {
    return std::nullopt;
  }
  const auto candidate = split(pair.candidate, '.');
  const auto baseline = split(pair.baseline, '.');
  auto rule = prefixRule(candidate, baseline);
  return rule ? rule : numberRule(candidate, baseline);
}

std::vector<std::string> mappableNames(const DumpUnit& unit) {
  std::set<std::string_view> names;
  for (const DumpEntry& entry : unit.entries) {
    const bool isTensor = nameKind(entry.kind) == EntryKind::Tensor;
    const std::string& name = isTensor ? entry.name : entry.module;
    if (!name.empty()) {
      names.insert(name);
    }
  }
  return {names.begin(), names.end()};
}

Result<std::vector<RuleEffect>> effectsOf(const SiteMapping& mapping,
                                          std::span<const std::string> candidateNames,
                                          std::span<const std::string> baselineNames,
                                          const std::stop_token& stop) {
  std::vector<RuleEffect> effects(mapping.rules().size());
  std::vector<std::size_t> matching;
  for (const std::string& name : candidateNames) {
    if (stop.stop_requested()) {
      return fail(ErrorCode::Cancelled, "stopped");
    }
    if (mapping.pairs().contains(name)) {
      continue;
    }
    matching.clear();
    std::string mapped = name;
    for (std::size_t rule = 0; rule < effects.size(); ++rule) {
      auto changed = ULP_TRY(mapping.applied(rule, mapped));
      if (changed != mapped) {
        matching.push_back(rule);
        mapped = std::move(changed);
      }
    }
    const bool isMet = !matching.empty() && std::ranges::binary_search(baselineNames, mapped);
    for (const std::size_t rule : matching) {
      ++effects[rule].matched;
      effects[rule].met += isMet ? 1 : 0;
    }
  }
  return effects;
}

Result<RuleEffect> effectOf(const SiteMapping& mapping,
                            std::size_t index,
                            std::span<const std::string> candidateNames,
                            std::span<const std::string> baselineNames,
                            const std::stop_token& stop) {
  auto effects = ULP_TRY(effectsOf(mapping, candidateNames, baselineNames, stop));
  return effects[index];
}

}  // namespace ulp::analysis
