#pragma once

#include <array>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <string_view>

#include "core/json/record.h"
#include "core/report/files/run_json.h"
#include "core/report/model/report.h"

/// What precision_report.json says of a comparison beside its metrics.
namespace ulp::report {

/// Among the spreads of a row: that of its signed error, which has its mean beside it.
inline constexpr std::string_view kGainField = "gain_error";
/// Of a worst element, written where the study took several samples.
inline constexpr std::string_view kWorstSampleField = "sample";

/// What a level or a pass may be called, as an error says it.
template <auto kMember>
inline constexpr std::string_view kWords = "layer, module or op";
template <>
inline constexpr std::string_view kWords<&Site::pass> =
    "forward, backward, parameter_gradient or optimizer";

/// Makes the field of a level or pass, which `kParse` reads.
template <auto kMember, auto kParse>
constexpr json::Field<Site> wordField(std::string_view name) {
  return {name,
          [](json::Reader& json, Site& site) {
            const std::string word = json.readString();
            if (const auto value = kParse(word)) {
              site.*kMember = *value;
            } else {
              json.fail(ErrorCode::CorruptData,
                        fmt::format("expected {}, found \"{}\"", kWords<kMember>, word));
            }
          },
          [](json::Writer& json, std::string_view key, const Site& site) {
            json.field(key, toString(site.*kMember));
          }};
}

inline constexpr std::array kSiteFields{json::field<&Site::name>("name"),
                                        json::field<&Site::module>("module"),
                                        json::field<&Site::layer>("layer"),
                                        wordField<&Site::level, parseLevel>("level"),
                                        wordField<&Site::pass, parsePass>("pass")};

inline constexpr std::array kNonFiniteFields{
    json::field<&numerics::NonFiniteCounts::nan>("nan"),
    json::field<&numerics::NonFiniteCounts::positiveInfinity>("+inf"),
    json::field<&numerics::NonFiniteCounts::negativeInfinity>("-inf")};

inline constexpr std::array kDTypeFields{json::field<&Comparison::referenceDType>("reference"),
                                         json::field<&Comparison::variantDType>("variant")};
inline constexpr std::array kNonFinitePair{
    json::recordField<&Comparison::referenceNonFinite, kNonFiniteFields>("reference"),
    json::recordField<&Comparison::variantNonFinite, kNonFiniteFields>("variant")};

inline constexpr std::array kWorstFields{
    json::field<&WorstPair::index>("index"),
    json::field<&WorstPair::reference>("reference"),
    json::field<&WorstPair::variant>("variant"),
    json::field<&WorstPair::sample>(kWorstSampleField),
    json::field<&WorstPair::microBatch, json::isGiven<&WorstPair::microBatch>>("micro_batch")};

/// What stands before the metrics, behind the site.
inline constexpr std::array kTensorFields{json::field<&Comparison::shape>("shape"),
                                          json::groupField<kDTypeFields>("dtype"),
                                          json::field<&Comparison::count>("count"),
                                          json::field<&Comparison::compared>("compared")};
/// What stands behind the metrics, before spreads.
inline constexpr std::array kElementFields{
    json::groupField<kNonFinitePair>("nonfinite"),
    json::recordField<&Comparison::worst, kWorstFields>("worst")};

}  // namespace ulp::report
