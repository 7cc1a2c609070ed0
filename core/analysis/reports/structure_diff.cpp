#include "core/analysis/reports/structure_diff.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "core/base/list_of.h"
#include "core/base/text/ascii_lower.h"

namespace ulp::analysis {
namespace {

constexpr double kLeastLikeness = 1.0 / 3;

using Key = std::pair<std::string, Pass>;

/// Parts of the name "model.layers.11.self_attn.qProj" → model, layers, 11, self, attn, q, proj.
std::multiset<std::string> partsOf(const SiteShape& tensor) {
  std::multiset<std::string> parts;
  std::string part;
  const auto flush = [&] {
    if (!part.empty()) {
      parts.insert(std::exchange(part, {}));
    }
  };
  char before = '\0';
  for (const char c : tensor.site.name) {
    const auto letter = static_cast<unsigned char>(c);
    const bool isWord = std::isalnum(letter) != 0;
    const bool changesKind =
        std::isdigit(letter) != std::isdigit(static_cast<unsigned char>(before));
    const bool startsCamel = std::isupper(letter) != 0;
    if (!isWord || changesKind || startsCamel) {
      flush();
    }
    if (isWord) {
      part += asciiLower({&c, 1});
    }
    before = c;
  }
  flush();
  return parts;
}

double partLikeness(const std::multiset<std::string>& a, const std::multiset<std::string>& b) {
  std::vector<std::string> shared;
  std::ranges::set_intersection(a, b, std::back_inserter(shared));
  const std::size_t all = a.size() + b.size();
  return all == 0 ? 0 : 2 * static_cast<double>(shared.size()) / static_cast<double>(all);
}

/// Only tensors that agree in these can be a pair.
using SiteGroup = std::tuple<Pass, int, std::vector<std::int64_t>>;

SiteGroup groupOf(const SiteShape& tensor) {
  return {tensor.site.pass, tensor.site.layer, tensor.shape};
}

struct Candidates {
  std::vector<std::size_t> baseline;
  std::vector<std::size_t> other;
};

}  // namespace

std::vector<SiteShape> structureOf(const report::Report& report) {
  std::vector<SiteShape> tensors;
  std::set<std::pair<std::string_view, Pass>> known;
  for (const report::Run& run : report.runs) {
    for (const report::Comparison& row : run.comparisons) {
      if (known.emplace(row.site.name, row.site.pass).second) {
        tensors.push_back({row.site, row.shape});
      }
    }
  }
  return tensors;
}

Result<StructureDiff> structureDiff(std::span<const SiteShape> baseline,
                                    std::span<const SiteShape> other,
                                    const SiteMapping& mapping) {
  StructureDiff diff;
  std::map<Key, const SiteShape*> open;
  for (const SiteShape& tensor : other) {
    auto name = ULP_TRY(mapping.map(tensor.site.name));
    const Key key{std::move(name), tensor.site.pass};
    if (!open.emplace(key, &tensor).second) {
      // Two names became one; the second has no partner of its own.
      diff.onlyInOther.push_back(tensor);
    }
  }
  for (const SiteShape& tensor : baseline) {
    const auto found = open.find({tensor.site.name, tensor.site.pass});
    if (found == open.end()) {
      diff.onlyInBaseline.push_back(tensor);
      continue;
    }
    if (found->second->shape == tensor.shape) {
      ++diff.matched;
    } else {
      diff.shapes.push_back({tensor, *found->second});
    }
    open.erase(found);
  }
  std::set<const SiteShape*> unmatched;
  for (const auto& [key, tensor] : open) {
    unmatched.insert(tensor);
  }
  for (const SiteShape& tensor : other) {
    if (unmatched.contains(&tensor)) {
      diff.onlyInOther.push_back(tensor);
    }
  }
  return diff;
}

std::vector<SuggestedPair> suggestPairs(const StructureDiff& diff) {
  std::map<SiteGroup, Candidates> groups;
  for (std::size_t i = 0; i < diff.onlyInBaseline.size(); ++i) {
    groups[groupOf(diff.onlyInBaseline[i])].baseline.push_back(i);
  }
  for (std::size_t i = 0; i < diff.onlyInOther.size(); ++i) {
    groups[groupOf(diff.onlyInOther[i])].other.push_back(i);
  }
  const auto baselineParts = listOf(diff.onlyInBaseline, partsOf);
  const auto otherParts = listOf(diff.onlyInOther, partsOf);
  std::vector<SuggestedPair> all;
  const auto consider = [&](std::size_t b, std::size_t o) {
    const double alike = partLikeness(baselineParts[b], otherParts[o]);
    if (alike >= kLeastLikeness) {
      all.push_back({b, o, alike});
    }
  };
  for (const auto& [group, candidates] : groups) {
    for (const std::size_t b : candidates.baseline) {
      for (const std::size_t o : candidates.other) {
        consider(b, o);
      }
    }
  }
  std::ranges::stable_sort(all, std::greater<>(), &SuggestedPair::likeness);
  std::set<std::size_t> usedBaseline;
  std::set<std::size_t> usedOther;
  std::erase_if(all, [&](const SuggestedPair& pair) {
    if (usedBaseline.contains(pair.baseline) || usedOther.contains(pair.other)) {
      return true;
    }
    usedBaseline.insert(pair.baseline);
    usedOther.insert(pair.other);
    return false;
  });
  return all;
}

}  // namespace ulp::analysis
