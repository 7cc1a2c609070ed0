#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/model_limits.h"
#include "core/json/record.h"
#include "core/report/model/expert_choice.h"
#include "core/report/model/report.h"

/// What precision_report.json says of what the routers of a run chose.
namespace ulp::report {

inline constexpr std::array kTokenErrorFields{json::field<&TokenError::tokens>("tokens"),
                                              json::field<&TokenError::rmsDiff>("rms_diff"),
                                              json::field<&TokenError::refScale>("ref_scale")};

inline constexpr json::Field<MarginBin> kExponentField{
    "exponent",
    [](json::Reader& json, MarginBin& bin) {
      json::readInto(json, bin.exponent);
      if (bin.exponent < kLowestMargin || bin.exponent > kHighestMargin) {
        json.fail(ErrorCode::CorruptData, "no margin has this exponent");
      }
    },
    json::field<&MarginBin::exponent>("").write};

inline constexpr std::array kMarginFields{kExponentField,
                                          json::field<&MarginBin::tokens>("tokens"),
                                          json::field<&MarginBin::flipped>("flipped")};

/// Four tokens a digit, the first in the highest bit.
inline std::string flipDigits(const std::vector<std::uint8_t>& flips) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < flips.size(); i += 4) {
    std::size_t digit = 0;
    for (std::size_t bit = 0; bit < 4; ++bit) {
      digit = 2 * digit + (i + bit < flips.size() && flips[i + bit] != 0 ? 1 : 0);
    }
    text += kDigits[digit];
  }
  return text;
}

inline constexpr json::Field<RouterChoice> kFlipsField{
    "flips",
    [](json::Reader& json, RouterChoice& choice) {
      const std::string text = json.readString();
      if (text.size() > kMostTokenFlips / 4 ||
          text.find_first_not_of("0123456789abcdef") != std::string::npos) {
        json.fail(ErrorCode::CorruptData, "flips are hexadecimal digits, four tokens each");
        return;
      }
      for (const char c : text) {
        const int digit = c <= '9' ? c - '0' : c - 'a' + 10;
        for (int bit = 3; bit >= 0; --bit) {
          choice.flips.push_back(static_cast<std::uint8_t>((digit >> bit) & 1));
        }
      }
    },
    [](json::Writer& json, std::string_view name, const RouterChoice& choice) {
      json.field(name, flipDigits(choice.flips));
    }};

inline constexpr std::array kRouterFields{
    json::field<&RouterChoice::router>("router"),
    json::field<&RouterChoice::block>("block"),
    json::field<&RouterChoice::layer>("layer"),
    json::field<&RouterChoice::experts>("experts"),
    json::field<&RouterChoice::chosen>("chosen"),
    json::field<&RouterChoice::tokens>("tokens"),
    json::field<&RouterChoice::flipped>("flipped"),
    json::field<&RouterChoice::changed>("changed"),
    json::recordField<&RouterChoice::same, kTokenErrorFields>("same"),
    json::recordField<&RouterChoice::other, kTokenErrorFields>("other"),
    json::recordField<&RouterChoice::margins, kMarginFields>("margins"),
    kFlipsField};

/// Reads one router of a list. Errors: CorruptData, of what no report says.
inline void readRouter(json::Reader& json, RouterChoice& choice) {
  json::readRecord(json, choice, kRouterFields);
  const std::size_t most = std::min<std::size_t>(choice.tokens, kMostTokenFlips);
  if (!isLayerNumber(choice.layer) || choice.flipped > choice.tokens ||
      choice.flips.size() >= most + 4) {
    json.fail(ErrorCode::CorruptData, "a router's numbers do not belong together");
    return;
  }
  choice.flips.resize(std::min(choice.flips.size(), most));
}

inline constexpr json::Field<Run> kRoutersField{
    "routers",
    [](json::Reader& json, Run& run) {
      json::readItems(json, run.routers, [&](RouterChoice& choice) { readRouter(json, choice); });
    },
    [](json::Writer& json, std::string_view name, const Run& run) {
      if (!run.routers.empty()) {
        json.key(name);
        json::writeRecord(json, run.routers, kRouterFields);
      }
    }};

}  // namespace ulp::report
