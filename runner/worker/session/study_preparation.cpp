#include "runner/worker/session/study_preparation.h"

#include <cstddef>
#include <cstdint>
#include <fmt/format.h>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/text/format_number.h"
#include "core/engine/python_engine.h"
#include "runner/worker/session/model_opener.h"
#include "runner/worker/session/report_draft.h"

namespace ulp::worker {
namespace {

Result<> openModel(const PreparationParts& parts, PreparedStudy& prepared) {
  prepared.threads = parts.engine.setThreads(parts.options.threads);
  if (!parts.choice.warning.empty()) {
    parts.sink.message("warning", parts.choice.warning);
  }
  prepared.request.device = parts.choice.device.id;
  prepared.model = ULP_TRY(ModelOpener(parts, prepared.runs, prepared.threads).open());
  const engine::ModelInfo& info = prepared.model->info();
  parts.draft.model = {.name = info.name,
                       .family = info.family,
                       .layers = info.layers,
                       .parameters = info.parameters};
  report::Provenance& provenance = parts.draft.provenance;
  const engine::DeviceInfo& device = parts.choice.device;
  provenance.device =
      device.name.empty() ? device.id : fmt::format("{} ({})", device.id, device.name);
  provenance.deviceFacts = device.facts;
  provenance.threads = prepared.threads;
  provenance.weightsDigest = ULP_TRY(prepared.model->weightsDigest());
  chooseExactAttention(prepared.runs, device.id);
  ULP_TRY(chooseFloorThreads(prepared.runs, prepared.threads, device.id));
  takeSettings(parts.draft, prepared.runs);
  parts.sink.message("info",
                     fmt::format("model {}: {}, {} layers, {} parameters; device {}, {} threads, "
                                 "LibTorch {}",
                                 info.name,
                                 info.family,
                                 info.layers,
                                 info.parameters,
                                 provenance.device,
                                 prepared.threads,
                                 provenance.torchVersion));
  return {};
}

/// Has the reference continue the prompts of a study.
Result<> generateTokens(const PreparationParts& parts, PreparedStudy& prepared, StepInput& step) {
  const std::int64_t prompt = step.samples.front().front().length;
  const std::int64_t count = parts.study.generated;
  parts.sink.message(
      "info",
      fmt::format(
          "input: the reference chooses {} tokens behind each prompt of {}", count + 1, prompt));
  const PlannedRun& reference = prepared.runs.front();
  engine::RunRequest request = prepared.request;
  request.plan = reference.precision;
  request.batch = reference.batch;
  const std::size_t samples = step.samples.size();
  for (std::size_t i = 0; i < samples; ++i) {
    request.microBatches = step.samples[i];
    const auto watch = [&](std::int64_t chosen, std::int64_t all) {
      const auto before = static_cast<std::int64_t>(i) * all;
      parts.progress.choosing(
          reference.name, before + chosen, static_cast<std::int64_t>(samples) * all);
    };
    watch(0, static_cast<std::int64_t>(request.microBatches.size()) * (count + 1));
    step.samples[i] = ULP_TRY(
        whileDoing("input.generate", prepared.model->generate(request, count, watch, parts.stop)));
  }
  for (PlannedRun& run : prepared.runs) {
    run.batch.prompt = run.generatesInSteps ? prompt : 0;
  }
  prepared.sequences = {.prompt = prompt, .length = step.samples.front().front().length};
  step.tokenDigest = ULP_TRY(tokenDigest(step.samples));
  step.description += fmt::format("; {} tokens of each chosen by the reference", count + 1);
  return {};
}

Result<> readInput(const PreparationParts& parts, PreparedStudy& prepared) {
  const engine::ModelInfo& info = prepared.model->info();
  auto step = ULP_TRY(loadStep(parts.study, info.vocabularySize, parts.engine));
  if (parts.study.generated > 0) {
    ULP_TRY(generateTokens(parts, prepared, step));
  }
  prepared.request.loss = std::move(step.loss);
  prepared.samples = std::move(step.samples);
  const std::vector<MicroBatches>& samples = prepared.samples;
  ULP_TRY(checkReversible(prepared.runs, samples.front()));
  ULP_TRY(checkBatches(parts.study, prepared.runs, samples.front(), prepared.request.device));
  report::Provenance& provenance = parts.draft.provenance;
  provenance.tokenDigest = std::move(step.tokenDigest);
  provenance.input = std::move(step.description);
  const MicroBatches& batches = samples.front();
  const engine::TokenBatch& tokens = batches.back();
  provenance.sequences = samples.size() * batches.size() * static_cast<std::uint64_t>(tokens.batch);
  provenance.sequenceLength = static_cast<std::uint64_t>(tokens.length);
  parts.sink.message(
      "info",
      fmt::format(
          "input: {} sequences of {} tokens{}{}; {}",
          tokens.batch,
          tokens.length,
          batches.size() == 1 ? "" : fmt::format(" in each of {} micro-batches", batches.size()),
          samples.size() == 1 ? "" : fmt::format(" of each of {} samples", samples.size()),
          provenance.input));
  if (info.maxPositions > 0 && tokens.length > info.maxPositions) {
    parts.sink.message("warning",
                       fmt::format("input: {} positions, but the model was made for {}",
                                   tokens.length,
                                   info.maxPositions));
  }
  return parts.earlier == nullptr
             ? Result<>()
             : checkResumable(*parts.earlier, parts.draft, prepared.runs, parts.conflicts);
}

Result<> chooseSites(const PreparationParts& parts, PreparedStudy& prepared) {
  const study::Study& study = parts.study;
  prepared.request.level = study.captureLevel;
  prepared.request.backward = study.captureBackward;
  prepared.request.parameterGradients = study.captureParameterGradients;
  // Of Python those that torch.compile made, on any device.
  prepared.request.recordsKernels =
      study.captureKernels &&
      (isCuda(prepared.request.device) || !parts.draft.provenance.engine.empty());
  prepared.request.optimizer = optimizerOf(study);
  engine::RunRequest reference = prepared.request;
  reference.plan = prepared.runs.front().precision;
  reference.microBatches = prepared.samples.front();
  ULP_TRY(whileDoing("the reference", prepared.model->learnSites(reference, parts.stop)));
  prepared.sites = prepared.model->sites(prepared.request);
  prepared.filter = ULP_TRY(SiteFilter::create(prepared.sites, study.include, study.exclude));
  return {};
}

/// A forecast may be wrong, so that it stops nothing.
Result<> checkMemory(const PreparationParts& parts, PreparedStudy& prepared) {
  const std::string& device = prepared.request.device;
  const bool isNative = parts.draft.provenance.engine.empty();
  if (!parts.options.forecastMemory || !isCuda(device) || !isNative) {
    return {};
  }
  const auto free = ULP_TRY(parts.engine.freeBytes(device));
  prepared.memory = parts.options.forecastMemory(free);
  if (const std::string& warning = prepared.memory.warning; !warning.empty()) {
    parts.sink.message("warning", fmt::format("{}: {}", device, warning));
  }
  return {};
}

/// Where the study sets the key that a message begins with; empty: it begins with none, or nobody
/// sets it.
std::string placeOfKey(const study::Study& study, const PlannedRun& run, std::string_view message) {
  const auto setting = run.settings.find(message.substr(0, message.find(':')));
  return setting == run.settings.end() || setting->second.origin == study::Origin::Default
             ? std::string()
             : study::placeOf(study, setting->first, setting->second);
}

/// Mistakes that only the model shows are reported before the first run starts; what this device
/// cannot do ends the run that asks for it.
Result<> checkPlans(const study::Study& study, const PreparedStudy& prepared) {
  for (const PlannedRun& run : prepared.runs) {
    auto possible =
        run.isChosen ? prepared.model->check(run.precision, prepared.request.device) : Result<>();
    if (!possible && possible.error().code() == ErrorCode::InvalidArgument) {
      const std::string place = placeOfKey(study, run, possible.error().message());
      return failWhile(place.empty() ? run.name : place, std::move(possible));
    }
  }
  return {};
}

/// What torch has no backward pass of, which shows only when one is asked for.
Result<> checkBackward(const study::Study& study, const PreparedStudy& prepared) {
  for (const PlannedRun& run : prepared.runs) {
    const engine::PythonPlan& python = run.precision.python;
    const std::string& device = python.device.empty() ? prepared.request.device : python.device;
    if (study.captureBackward && python.attention == "flex_attention" && device == "cpu" &&
        python.deviceMap.empty()) {
      const std::string place = placeOfKey(study, run, "attention.implementation");
      return fail(ErrorCode::InvalidArgument,
                  fmt::format("{}: attention.implementation: flex_attention: torch has no backward "
                              "pass of it on the CPU; set capture.backward: false, or take a GPU",
                              place.empty() ? run.name : place));
    }
  }
  return {};
}

/// A plan whose rounding is none to speak of beside what a cache may lack.
engine::PrecisionPlan inFloat32(engine::PrecisionPlan plan) {
  plan.formats = {};
  plan.rules.clear();
  plan.cast = engine::Cast::Load;
  plan.python.autocast.reset();
  plan.python.compile.clear();
  return plan;
}

/// A cache that does not carry all that a model needs shows as an error of the pieces.
Result<> checkPieces(const PreparationParts& parts, PreparedStudy& prepared) {
  auto* const python = dynamic_cast<engine::PythonModel*>(prepared.model.get());
  const engine::PrecisionPlan& reference = prepared.runs.front().precision;
  if (python == nullptr || reference.python.ranks > 1) {
    return {};
  }
  std::set<std::pair<std::int64_t, std::int64_t>> tried;
  for (const PlannedRun& run : prepared.runs) {
    const bool isNew =
        run.batch.isCached() && tried.emplace(run.batch.chunkLength, run.batch.prompt).second;
    if (!isNew) {
      continue;
    }
    engine::RunRequest request = prepared.request;
    request.plan = reference;
    request.batch = {.chunkLength = run.batch.chunkLength, .prompt = run.batch.prompt};
    request.microBatches = prepared.samples.front();
    constexpr double kMostOfRounding = 0.01;
    auto error = python->errorInPieces(request, parts.stop);
    if (error && *error > kMostOfRounding) {
      // Formats may round as much, where another model has to be loaded to tell.
      request.plan = inFloat32(reference);
      error = python->errorInPieces(request, parts.stop);
    }
    if (error && *error > kMostOfRounding) {
      parts.sink.message(
          "warning",
          fmt::format("{}: in pieces this model computes something else, whatever the formats: the "
                      "logits of a few random tokens, in float32, differ from those of one pass by "
                      "{} % (RMS). The cache that transformers makes for {} does not carry all "
                      "that it needs",
                      run.name,
                      formatPercent(*error),
                      python->facts().modelClass));
    }
  }
  return {};
}

}  // namespace

Result<PreparedStudy> prepareStudy(const PreparationParts& parts, std::vector<PlannedRun> runs) {
  PreparedStudy prepared;
  prepared.runs = std::move(runs);
  ULP_TRY(openModel(parts, prepared));
  ULP_TRY(checkPlans(parts.study, prepared));
  ULP_TRY(checkBackward(parts.study, prepared));
  ULP_TRY(readInput(parts, prepared));
  ULP_TRY(chooseSites(parts, prepared));
  ULP_TRY(checkPieces(parts, prepared));
  ULP_TRY(checkMemory(parts, prepared));
  return prepared;
}

}  // namespace ulp::worker
