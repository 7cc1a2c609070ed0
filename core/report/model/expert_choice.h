#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/base/site.h"
#include "core/base/undefined.h"

namespace ulp::report {

/// Error of a block's output over some tokens; RMS over their elements that are finite in both
/// runs.
struct TokenError {
  std::uint64_t tokens = 0;  ///< with such an element
  double rmsDiff = kUndefined;
  double refScale = kUndefined;

  /// NaN where it is not known.
  [[nodiscard]] double relative() const { return refScale > 0 ? rmsDiff / refScale : kUndefined; }
};

/// Tokens whose margin in the reference lies in [2^exponent, 2^(exponent + 1)).
struct MarginBin {
  int exponent = 0;
  std::uint64_t tokens = 0;
  std::uint64_t flipped = 0;
};

/// Exponents of the ends: smaller margins, 0 among them, and larger ones are counted there.
inline constexpr int kLowestMargin = -40;
inline constexpr int kHighestMargin = 20;
/// Of so many tokens a report says which are flipped; of those behind them only how many.
inline constexpr std::size_t kMostTokenFlips = std::size_t{1} << 16U;

/// What a router of a run chose beside the reference, over all of its samples. A token is flipped
/// when the sets of its experts differ. Its margin is, in the numbers that the model compared in
/// the reference, that of the last expert chosen less that of the first one not chosen.
struct RouterChoice {
  std::string router;  ///< forward row
  std::string block;   ///< forward row of the block whose output `same` and `other` are about
  int layer = -1;
  std::uint64_t experts = 0;
  std::uint64_t chosen = 0;  ///< experts of a token
  std::uint64_t tokens = 0;
  std::uint64_t flipped = 0;
  std::uint64_t changed = 0;         ///< of tokens × chosen: experts that the run does not choose
  TokenError same{};                 ///< of tokens that are not flipped
  TokenError other{};                ///< of those that are
  std::vector<MarginBin> margins{};  ///< ascending, those with a token
  /// 1 where a token is flipped, in order of samples, micro-batches, sequences, positions.
  std::vector<std::uint8_t> flips{};

  /// NaN without tokens.
  [[nodiscard]] double flippedShare() const {
    return tokens == 0 ? kUndefined : static_cast<double>(flipped) / static_cast<double>(tokens);
  }
};

/// Adds tokens that follow those of `total`.
void addTokens(TokenError& total, const TokenError& more);
/// Counts a token of this margin; one that is NaN or infinite has none.
void addMargin(std::vector<MarginBin>& bins, double margin, bool isFlipped);
/// Adds what the same router chose on more tokens, which follow those of `total`.
void addChoice(RouterChoice& total, const RouterChoice& more);
/// The margin that half of the counted tokens have at most, to a factor of 2; `ofFlipped`: of those
/// alone. NaN without any.
[[nodiscard]] double medianMargin(const std::vector<MarginBin>& bins, bool ofFlipped);
/// Flipped tokens / tokens over all layers; NaN: the run has no routers.
[[nodiscard]] double flippedShare(const std::vector<RouterChoice>& routers);
/// The same of a forward row: of a router, of its block, or of the layer that holds it; NaN: of any
/// other row.
[[nodiscard]] double flippedShareAt(const std::vector<RouterChoice>& routers, const Site& site);

}  // namespace ulp::report
