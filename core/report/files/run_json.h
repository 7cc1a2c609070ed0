#pragma once

#include <array>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/model_limits.h"
#include "core/base/undefined.h"
#include "core/json/record.h"
#include "core/report/files/expert_json.h"
#include "core/report/files/graph_json.h"
#include "core/report/files/memory_json.h"
#include "core/report/files/position_json.h"
#include "core/report/files/report_json.h"
#include "core/report/files/step_json.h"
#include "core/report/model/report.h"

/// What precision_report.json says of a run beside its comparisons, and of these beside metrics.
namespace ulp::report {

/// Of a run, written where the study took several samples.
inline constexpr std::string_view kSamplesField = "samples";

inline constexpr std::array kSpreadFields{
    json::field<&Spread::sd>("sd"),
    json::field<&Spread::minimum>("min"),
    json::field<&Spread::maximum>("max"),
    json::field<&Spread::undefined, json::isGiven<&Spread::undefined>>("undefined")};

/// What a report says of a run that names no number.
inline constexpr LogProbabilityError kUnknownLogProbabilityError{.mean = kUndefined,
                                                                 .interval = kUndefined,
                                                                 .meanAbsolute = kUndefined,
                                                                 .rms = kUndefined,
                                                                 .largest = kUndefined,
                                                                 .epsilon = kUndefined,
                                                                 .shareAbove = kUndefined,
                                                                 .relativeRms = kUndefined,
                                                                 .slope = kUndefined,
                                                                 .correlation = kUndefined,
                                                                 .residualRms = kUndefined,
                                                                 .kl = kUndefined};

inline constexpr std::array kLogProbabilityErrorFields{
    json::field<&LogProbabilityError::tokens>("tokens"),
    json::field<&LogProbabilityError::nonFinite>("nonfinite"),
    json::field<&LogProbabilityError::positions>("positions"),
    json::field<&LogProbabilityError::sameTop>("same_top"),
    json::field<&LogProbabilityError::mean>("mean"),
    json::field<&LogProbabilityError::interval>("ci95"),
    json::field<&LogProbabilityError::meanAbsolute>("mean_abs"),
    json::field<&LogProbabilityError::rms>("rms"),
    json::field<&LogProbabilityError::relativeRms>("rms_rel"),
    json::field<&LogProbabilityError::largest>("max"),
    json::field<&LogProbabilityError::epsilon>("epsilon"),
    json::field<&LogProbabilityError::shareAbove>("share_above"),
    json::field<&LogProbabilityError::slope>("slope"),
    json::field<&LogProbabilityError::correlation>("correlation"),
    json::field<&LogProbabilityError::residualRms>("residual_rms"),
    json::field<&LogProbabilityError::kl>("kl")};

inline constexpr json::Field<Run> kLossField{
    "loss",
    [](json::Reader& json, Run& run) {
      run.loss = json.readNumber();
      run.hasLoss = true;
    },
    [](json::Writer& json, std::string_view name, const Run& run) {
      if (run.hasLoss) {
        json.field(name, run.loss);
      }
    }};

inline constexpr std::array kRunStatuses{RunStatus::Pending,
                                         RunStatus::Running,
                                         RunStatus::Finished,
                                         RunStatus::Failed,
                                         RunStatus::Cancelled,
                                         RunStatus::Skipped};

inline constexpr json::Field<Run> kStatusField{
    "status",
    [](json::Reader& json, Run& run) {
      const std::string word = json.readString();
      for (const RunStatus status : kRunStatuses) {
        if (word == toString(status)) {
          run.status = status;
          return;
        }
      }
      json.fail(ErrorCode::CorruptData, fmt::format("'{}' is not a status", word));
    },
    [](json::Writer& json, std::string_view name, const Run& run) {
      json.field(name, toString(run.status));
    }};

inline std::optional<RunRole> parseFloorRole(std::string_view word) {
  return word == toString(RunRole::Floor) ? std::optional(RunRole::Floor) : std::nullopt;
}

inline constexpr json::Field<Run> kLogProbabilitiesField{
    "log_probabilities",
    [](json::Reader& json, Run& run) {
      run.logProbabilities = kUnknownLogProbabilityError;
      json::readRecord(json, *run.logProbabilities, kLogProbabilityErrorFields);
    },
    json::recordField<&Run::logProbabilities, kLogProbabilityErrorFields>("").write};

// Nobody has measured time and memory of what was recorded elsewhere.
inline bool hasSeconds(const Run& run) {
  return run.hasLoss || run.seconds > 0;
}
inline bool hasPeak(const Run& run) {
  return run.hasLoss || run.peakBytes > 0;
}
inline bool hasSeveralSamples(const Run& run) {
  return run.samples > 1;
}
inline bool hasStep(const Run& run) {
  return run.step.labels != 0;
}

/// Makes the field of what ran for the rows of a pass.
template <Pass kPass>
constexpr json::Field<KernelRecord> kernelRowsField(std::string_view name) {
  return {name,
          [](json::Reader& json, KernelRecord& kernels) {
            json.readObject([&](std::string_view row) {
              json::readInto(json, kernels.of(kPass)[std::string(row)]);
            });
          },
          [](json::Writer& json, std::string_view key, const KernelRecord& kernels) {
            if (!kernels.of(kPass).empty()) {
              json.field(key, [&] {
                for (const auto& [row, ran] : kernels.of(kPass)) {
                  json.key(row);
                  json::writeValue(json, ran);
                }
              });
            }
          }};
}

inline constexpr std::array kKernelFields{json::field<&KernelRecord::names>("names"),
                                          kernelRowsField<Pass::Forward>("forward"),
                                          kernelRowsField<Pass::Backward>("backward")};

inline constexpr json::Field<Run> kKernelsField{
    "kernels",
    [](json::Reader& json, Run& run) {
      json::readRecord(json, run.kernels, kKernelFields);
      if (!run.kernels.isConsistent()) {
        json.fail(ErrorCode::CorruptData, "a row names a kernel that is not in the list");
      }
    },
    [](json::Writer& json, std::string_view name, const Run& run) {
      if (!run.kernels.isEmpty()) {
        json.key(name);
        json::writeRecord(json, run.kernels, kKernelFields);
      }
    }};

inline constexpr json::Field<Run> kErrorCodeField{
    "error_code",
    [](json::Reader& json, Run& run) { run.errorCode = errorCodeNamed(json.readString()); },
    [](json::Writer& json, std::string_view name, const Run& run) {
      if (run.errorCode) {
        json.field(name, toString(*run.errorCode));
      }
    }};

inline constexpr std::array kRunFields{
    json::field<&Run::overrides>("overrides"),
    kLossField,
    json::field<&Run::seconds, hasSeconds>("seconds"),
    json::field<&Run::peakBytes, hasPeak>("peak_bytes"),
    json::recordField<&Run::memory, kMemoryFields>("memory"),
    kStatusField,
    json::enumField<&Run::role, parseFloorRole, RunRole::Variant, json::isGiven<&Run::role>>(
        "role"),
    json::field<&Run::samples>(kSamplesField),
    json::recordField<&Run::lossSpread, kSpreadFields, hasSeveralSamples>("loss_spread"),
    json::recordField<&Run::step, kStepFields, hasStep>("step"),
    json::field<&Run::attentionKernels, json::isGiven<&Run::attentionKernels>>("attention"),
    json::field<&Run::codeFiles, json::isGiven<&Run::codeFiles>>("code"),
    json::field<&Run::missingGradients, json::isGiven<&Run::missingGradients>>("missing_gradients"),
    kLogProbabilitiesField,
    kRoutersField,
    kPositionsField,
    json::recordField<&Run::axes, kAxesFields>("axes"),
    kKernelsField,
    kGraphField,
    json::field<&Run::error, json::isGiven<&Run::error>>("error"),
    kErrorCodeField};

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

inline constexpr auto kAnyLayerField = json::field<&Site::layer>("layer");
inline constexpr json::Field<Site> kLayerField{
    kAnyLayerField.name,
    [](json::Reader& json, Site& site) {
      kAnyLayerField.read(json, site);
      if (!isLayerNumber(site.layer)) {
        json.fail(ErrorCode::CorruptData, fmt::format("no model has a layer {}", site.layer));
      }
    },
    kAnyLayerField.write};

inline constexpr std::array kSiteFields{json::field<&Site::name>("name"),
                                        json::field<&Site::module>("module"),
                                        kLayerField,
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
inline constexpr std::array kTensorFields{
    json::field<&Comparison::shape>("shape"),
    json::groupField<kDTypeFields>("dtype"),
    json::field<&Comparison::count>("count"),
    json::field<&Comparison::compared>("compared"),
    json::field<&Comparison::onlyReference, json::isGiven<&Comparison::onlyReference>>(
        "reference_only_rows"),
    json::field<&Comparison::onlyVariant, json::isGiven<&Comparison::onlyVariant>>(
        "variant_only_rows")};
/// What stands behind the metrics, before spreads.
inline constexpr std::array kElementFields{
    json::groupField<kNonFinitePair>("nonfinite"),
    json::recordField<&Comparison::worst, kWorstFields>("worst")};

}  // namespace ulp::report
