#include "core/report/model/expert_choice.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace ulp::report {
namespace {

MarginBin& binOf(std::vector<MarginBin>& bins, int exponent) {
  const auto place = std::ranges::lower_bound(bins, exponent, {}, &MarginBin::exponent);
  return place != bins.end() && place->exponent == exponent
             ? *place
             : *bins.insert(place, MarginBin{.exponent = exponent});
}

double rootMean(double total, double totalTokens, double more, double moreTokens) {
  return std::sqrt((total * total * totalTokens + more * more * moreTokens) /
                   (totalTokens + moreTokens));
}

}  // namespace

void addTokens(TokenError& total, const TokenError& more) {
  if (total.tokens == 0 || more.tokens == 0) {
    total = total.tokens == 0 ? more : total;
    return;
  }
  const auto before = static_cast<double>(total.tokens);
  const auto added = static_cast<double>(more.tokens);
  total.rmsDiff = rootMean(total.rmsDiff, before, more.rmsDiff, added);
  total.refScale = rootMean(total.refScale, before, more.refScale, added);
  total.tokens += more.tokens;
}

void addMargin(std::vector<MarginBin>& bins, double margin, bool isFlipped) {
  if (!std::isfinite(margin)) {
    return;
  }
  const int exponent =
      margin <= 0 ? kLowestMargin : std::clamp(std::ilogb(margin), kLowestMargin, kHighestMargin);
  MarginBin& bin = binOf(bins, exponent);
  bin.tokens += 1;
  bin.flipped += isFlipped ? 1 : 0;
}

void addChoice(RouterChoice& total, const RouterChoice& more) {
  const std::size_t room = kMostTokenFlips - std::min(kMostTokenFlips, total.flips.size());
  const auto kept =
      more.flips.begin() + static_cast<std::ptrdiff_t>(std::min(room, more.flips.size()));
  // Behind a gap the places of tokens are not known.
  if (total.flips.size() == total.tokens) {
    total.flips.insert(total.flips.end(), more.flips.begin(), kept);
  }
  total.tokens += more.tokens;
  total.flipped += more.flipped;
  total.changed += more.changed;
  addTokens(total.same, more.same);
  addTokens(total.other, more.other);
  for (const MarginBin& bin : more.margins) {
    MarginBin& mine = binOf(total.margins, bin.exponent);
    mine.tokens += bin.tokens;
    mine.flipped += bin.flipped;
  }
}

double medianMargin(const std::vector<MarginBin>& bins, bool ofFlipped) {
  const auto count = [ofFlipped](const MarginBin& bin) {
    return ofFlipped ? bin.flipped : bin.tokens;
  };
  std::uint64_t all = 0;
  for (const MarginBin& bin : bins) {
    all += count(bin);
  }
  std::uint64_t below = 0;
  for (const MarginBin& bin : bins) {
    below += count(bin);
    if (all > 0 && 2 * below >= all) {
      return std::ldexp(std::sqrt(2.0), bin.exponent);
    }
  }
  return kUndefined;
}

double flippedShare(const std::vector<RouterChoice>& routers) {
  std::uint64_t tokens = 0;
  std::uint64_t flipped = 0;
  for (const RouterChoice& router : routers) {
    tokens += router.tokens;
    flipped += router.flipped;
  }
  return tokens == 0 ? kUndefined : static_cast<double>(flipped) / static_cast<double>(tokens);
}

double flippedShareAt(const std::vector<RouterChoice>& routers, const Site& site) {
  if (site.pass != Pass::Forward || routers.empty()) {
    return kUndefined;
  }
  std::vector<RouterChoice> here;
  const bool isLayer = site.level == Level::Layer && site.layer >= 0;
  std::ranges::copy_if(routers, std::back_inserter(here), [&](const RouterChoice& router) {
    return router.router == site.name || router.block == site.name ||
           (isLayer && router.layer == site.layer);
  });
  return flippedShare(here);
}

}  // namespace ulp::report
