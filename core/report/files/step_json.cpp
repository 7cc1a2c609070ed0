#include "core/report/files/step_json.h"

#include <string>

namespace ulp::report {
namespace {

void writeClips(json::Writer& json, const ClipSummary& clips) {
  json.key("clips");
  json.beginObject();
  json.field("unit", clips.unit);
  json.field("count", clips.count);
  json.field("below", clips.below);
  json.field("above", clips.above);
  json.field("stopped", clips.stopped);
  if (clips.flips) {
    json.field("flips", *clips.flips);
  }
  if (clips.gradientFlips) {
    json.field("gradient_flips", *clips.gradientFlips);
  }
  json.endObject();
}

void writeTerm(json::Writer& json, const LossTermSummary& term) {
  json.beginObject();
  json.field("type", term.type);
  json.field("weight", term.weight);
  json.field("value", term.value);
  if (!term.metrics.empty()) {
    json.key("metrics");
    json.beginObject();
    for (const auto& [name, value] : term.metrics) {
      json.field(name, value);
    }
    json.endObject();
  }
  if (term.clips) {
    writeClips(json, *term.clips);
  }
  json.endObject();
}

void readClipField(json::Reader& json, ClipSummary& clips, std::string_view field) {
  if (field == "unit") {
    clips.unit = json.readString();
  } else if (field == "count") {
    clips.count = json.readCount();
  } else if (field == "below") {
    clips.below = json.readCount();
  } else if (field == "above") {
    clips.above = json.readCount();
  } else if (field == "stopped") {
    clips.stopped = json.readCount();
  } else if (field == "flips") {
    clips.flips = json.readCount();
  } else if (field == "gradient_flips") {
    clips.gradientFlips = json.readCount();
  } else {
    json.skipValue();
  }
}

void readTermField(json::Reader& json, LossTermSummary& term, std::string_view field) {
  if (field == "type") {
    term.type = json.readString();
  } else if (field == "weight") {
    term.weight = json.readNumber();
  } else if (field == "value") {
    term.value = json.readNumber();
  } else if (field == "metrics") {
    json.readObject([&](std::string_view name) {
      const std::string metric(name);
      term.metrics.emplace_back(metric, json.readNumber());
    });
  } else if (field == "clips") {
    ClipSummary& clips = term.clips.emplace();
    json.readObject([&](std::string_view part) { readClipField(json, clips, part); });
  } else {
    json.skipValue();
  }
}

}  // namespace

void writeStep(json::Writer& json, const StepSummary& step) {
  if (step.labels == 0) {
    return;
  }
  json.key("step");
  json.beginObject();
  json.field("labels", step.labels);
  json.field("num_documents", step.documents);
  // A run is one step, so that it has seen no others.
  json.field("documents_seen", step.documents);
  json.field("micro_batches", step.microBatches);
  json.key("terms");
  json.beginArray();
  for (const LossTermSummary& term : step.terms) {
    writeTerm(json, term);
  }
  json.endArray();
  json.endObject();
}

void readStepField(json::Reader& json, StepSummary& step, std::string_view field) {
  if (field == "labels") {
    step.labels = json.readCount();
  } else if (field == "num_documents") {
    step.documents = json.readCount();
  } else if (field == "micro_batches") {
    step.microBatches = json.readCount();
  } else if (field == "terms") {
    json.readArray([&] {
      LossTermSummary& term = step.terms.emplace_back();
      json.readObject([&](std::string_view part) { readTermField(json, term, part); });
    });
  } else {
    json.skipValue();
  }
}

}  // namespace ulp::report
