#include "runner/worker/events/events.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

#include "core/base/text/format_number.h"
#include "core/json/dump.h"
#include "core/json/parse.h"
#include "core/report/model/report.h"

namespace ulp::worker {
namespace {

using json::Object;
using json::Value;

constexpr std::string_view kSchemaFamily = "ulpscope.events/";
/// Of an unreadable line, that much is shown.
constexpr std::size_t kLongestQuote = 200;

/// Adds the fields of an event to an object.
class Writing {
 public:
  explicit Writing(Object& json) : m_json(json) {}

  template <class T>
  void operator()(std::string_view key, const T& value) {
    m_json[key] = valueOf(value);
  }
  /// A field that readers do without.
  template <class T>
  void optional(std::string_view key, const T& value, bool isWritten) {
    if (isWritten) {
      (*this)(key, value);
    }
  }

 private:
  template <class T>
  static Value valueOf(const T& value) {
    return value;
  }
  static Value valueOf(const std::optional<double>& value) { return valueOf(*value); }
  static Value valueOf(double value) {
    if (std::isnan(value)) {
      return "NaN";
    }
    if (std::isinf(value)) {
      return value > 0 ? "Infinity" : "-Infinity";
    }
    return value;
  }

  Object& m_json;
};

/// Reads the fields of an event and remembers the first that is missing or of another type.
class Reading {
 public:
  explicit Reading(const Value& json) : m_json(json) {}

  template <class T>
  void operator()(std::string_view key, T& value) {
    if (!read(m_json.at(key), value) && m_complaint.empty()) {
      m_complaint = fmt::format("field '{}' is missing or of another type", key);
    }
  }
  template <class T>
  void optional(std::string_view key, T& value, bool /*isWritten*/) {
    if (m_json.contains(key)) {
      (*this)(key, value);
    }
  }
  [[nodiscard]] const std::string& firstComplaint() const { return m_complaint; }

 private:
  static bool read(const Value& json, std::string& value) {
    value = json.text();
    return json.isText();
  }
  static bool read(const Value& json, bool& value) {
    value = json.boolean();
    return json.isBoolean();
  }
  static bool read(const Value& json, int& value) {
    value = static_cast<int>(json.integer());
    return json.isInteger();
  }
  static bool read(const Value& json, std::uint64_t& value) {
    value = static_cast<std::uint64_t>(json.integer());
    return json.isInteger() && (json.integer() >= 0 || json.isBeyondInt64());
  }
  static bool read(const Value& json, double& value) {
    const std::string& word = json.text();
    const double infinity = std::numeric_limits<double>::infinity();
    if (word == "NaN") {
      value = std::numeric_limits<double>::quiet_NaN();
    } else if (word == "Infinity" || word == "-Infinity") {
      value = word == "Infinity" ? infinity : -infinity;
    } else {
      value = json.number();
      return json.isNumber();
    }
    return true;
  }
  static bool read(const Value& json, std::optional<double>& value) {
    return read(json, value.emplace());
  }
  static bool read(const Value& json, std::vector<std::string>& value) {
    for (const Value& item : json.items()) {
      value.push_back(item.text());
    }
    return json.isArray() && std::ranges::all_of(json.items(), &Value::isText);
  }

  const Value& m_json;
  std::string m_complaint;
};

/// What events of each kind are called, in the order of Event.
constexpr std::array<std::string_view, std::variant_size_v<Event>> kNames{"study_started",
                                                                          "run_started",
                                                                          "progress",
                                                                          "run_finished",
                                                                          "report_updated",
                                                                          "message",
                                                                          "memory",
                                                                          "study_finished"};

/// An event of this kind, to be read or written.
template <class Given, class Kind>
concept EventOf = std::same_as<std::remove_const_t<Given>, Kind>;

// The fields of each kind, in the order in which they are written.

void visitFields(auto& field, EventOf<StudyStarted> auto& event) {
  field("runs", event.runs);
  field("output_dir", event.outputDir);
  field("resumed", event.resumed);
  field.optional("kept", event.kept, !event.kept.empty());
  field.optional("skipped", event.skipped, !event.skipped.empty());
  field.optional("failed", event.failed, !event.failed.empty());
}

void visitFields(auto& field, EventOf<RunStarted> auto& event) {
  field("run", event.run);
  field("index", event.index);
  field("total", event.total);
  field.optional("device", event.device, !event.device.empty());
  field.optional("sample", event.sample, event.samples > 1);
  field.optional("samples", event.samples, event.samples > 1);
  field.optional("worker", event.worker, event.worker > 0);
  field.optional("gpus", event.gpus, !event.gpus.empty());
}

void visitFields(auto& field, EventOf<Progress> auto& event) {
  field("run", event.run);
  field("phase", event.phase);
  field("site", event.site);
  field("fraction", event.fraction);
  field.optional("eta_seconds", event.etaSeconds, event.etaSeconds.has_value());
  field.optional("run_fraction", event.runFraction, event.runFraction.has_value());
  field.optional("run_eta_seconds", event.runEtaSeconds, event.runEtaSeconds.has_value());
  field.optional("worker", event.worker, event.worker > 0);
}

void visitFields(auto& field, EventOf<RunFinished> auto& event) {
  field("run", event.run);
  field("status", event.status);
  field("loss", event.loss);
  field("seconds", event.seconds);
  field("peak_bytes", event.peakBytes);
  field.optional("planned_bytes", event.plannedBytes, event.plannedBytes > 0);
  field.optional("error_code", event.errorCode, !event.errorCode.empty());
  field.optional("error", event.error, !event.error.empty());
}

void visitFields(auto& field, EventOf<ReportUpdated> auto& event) {
  field("path", event.path);
}

void visitFields(auto& field, EventOf<Message> auto& event) {
  field("level", event.level);
  field("text", event.text);
  field.optional("connection", event.connection, !event.connection.empty());
}

void visitFields(auto& field, EventOf<MemoryUse> auto& event) {
  field("resident_bytes", event.residentBytes);
  field("peak_bytes", event.peakBytes);
}

void visitFields(auto& field, EventOf<StudyFinished> auto& event) {
  field("status", event.status);
  field("seconds", event.seconds);
  field("report", event.report);
  field.optional("error_code", event.errorCode, !event.errorCode.empty());
  field.optional("error", event.error, !event.errorCode.empty());
  field.optional("leaves_runs", event.leavesRuns, event.leavesRuns);
  field.optional("conflicts", event.conflicts, !event.conflicts.empty());
}

/// The events that open and close a stream name the schema.
template <class Kind>
constexpr bool kNamesSchema =
    std::is_same_v<Kind, StudyStarted> || std::is_same_v<Kind, StudyFinished>;

template <class Kind>
Object objectOf(std::string_view name, const Kind& event) {
  Object json{{"event", name}};
  if constexpr (kNamesSchema<Kind>) {
    json["schema"] = kEventSchema;
  }
  Writing field(json);
  visitFields(field, event);
  return json;
}

/// Reads an event of the kind at this place in kNames.
template <std::size_t... kPlaces>
Event eventAt(std::size_t place, Reading& field, std::index_sequence<kPlaces...> /*kinds*/) {
  Event event;
  const auto read = [&]<std::size_t kPlace>() { visitFields(field, event.emplace<kPlace>()); };
  ((kPlaces == place ? read.template operator()<kPlaces>() : void()), ...);
  return event;
}

Result<> checkSchema(const Value& json) {
  const Value* found = json.members().find("schema");
  if (found == nullptr) {
    return {};
  }
  const std::string schema = found->isText() ? found->text() : json::dump(*found);
  if (!schema.starts_with(kSchemaFamily)) {
    return fail(ErrorCode::CorruptData, fmt::format("event: schema '{}' is not ours", schema));
  }
  if (schema != kEventSchema) {
    return fail(ErrorCode::Unsupported,
                fmt::format("event: schema '{}' is newer than '{}'; use programs of one version",
                            schema,
                            kEventSchema));
  }
  return {};
}

std::string quote(std::string_view line) {
  return line.size() <= kLongestQuote ? std::string(line)
                                      : std::string(line.substr(0, kLongestQuote)) + "…";
}

EventText describe(const StudyStarted& event) {
  return {"info",
          fmt::format("study {}: runs {}; folder {}",
                      event.resumed ? "resumed" : "started",
                      fmt::join(event.runs, ", "),
                      event.outputDir)};
}

EventText describe(const RunStarted& event) {
  const std::string sample =
      event.samples > 1 ? fmt::format(", sample {} of {}", event.sample + 1, event.samples) : "";
  return {"info",
          fmt::format("run {} of {}: {}{}", event.index + 1, event.total, event.run, sample)};
}

EventText describe(const Progress& event) {
  return {"info", event.phase + " " + event.site};
}

EventText describe(const RunFinished& event) {
  if (!event.error.empty()) {
    return {"error", fmt::format("{} {}: {}", event.run, event.status, event.error)};
  }
  if (event.status == report::toString(report::RunStatus::Skipped)) {
    return {"info", event.run + " skipped"};
  }
  const std::string planned =
      event.plannedBytes > 0 ? fmt::format(" ({} were planned)", formatBytes(event.plannedBytes))
                             : "";
  return {"info",
          fmt::format("{} {}: loss {}, {}, peak {}{}",
                      event.run,
                      event.status,
                      formatExact(event.loss),
                      formatDuration(event.seconds),
                      formatBytes(event.peakBytes),
                      planned)};
}

EventText describe(const ReportUpdated& event) {
  return {"info", fmt::format("report written: {}", event.path)};
}

EventText describe(const Message& event) {
  return {event.level, event.text};
}

EventText describe(const MemoryUse& event) {
  return {"info", fmt::format("memory {}", formatBytes(event.residentBytes))};
}

EventText describe(const StudyFinished& event) {
  const std::string text =
      fmt::format("study {} after {}", event.status, formatDuration(event.seconds));
  return event.error.empty() ? EventText{"info", text}
                             : EventText{"error", text + ": " + event.error};
}

}  // namespace

std::string utcTimestamp(std::chrono::system_clock::time_point when) {
  const auto millis =
      std::chrono::duration_cast<std::chrono::milliseconds>(when.time_since_epoch()).count();
  return fmt::format("{:%FT%T}.{:03}Z", fmt::gmtime(millis / 1000), millis % 1000);
}

std::string toJsonLine(const Event& event) {
  const std::string_view name = kNames.at(event.index());
  Object json = std::visit([name](const auto& each) { return objectOf(name, each); }, event);
  json["time"] = utcTimestamp(std::chrono::system_clock::now());
  return json::dump(json);  // of a path or message that is not UTF-8, all that is
}

Result<Event> parseEvent(std::string_view line) {
  const auto json = json::parse(line);
  if (!json || !json->isObject()) {
    return fail(ErrorCode::CorruptData, fmt::format("event: not a JSON object: '{}'", quote(line)));
  }
  const Value& kind = json->at("event");
  if (!kind.isText()) {
    return fail(ErrorCode::CorruptData, fmt::format("event: without 'event': '{}'", quote(line)));
  }
  ULP_TRY(checkSchema(*json));
  Reading field(*json);
  const std::string& name = kind.text();
  const auto place = static_cast<std::size_t>(std::ranges::find(kNames, name) - kNames.begin());
  if (place == kNames.size()) {
    return Message{"info", std::string(line)};
  }
  Event event = eventAt(place, field, std::make_index_sequence<kNames.size()>());
  if (!field.firstComplaint().empty()) {
    return fail(ErrorCode::CorruptData,
                fmt::format("event '{}': {}", name, field.firstComplaint()));
  }
  return event;
}

EventText describeEvent(const Event& event) {
  return std::visit([](const auto& each) { return describe(each); }, event);
}

}  // namespace ulp::worker
