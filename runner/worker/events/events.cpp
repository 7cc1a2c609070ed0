#include "runner/worker/events/events.h"

#include <chrono>
#include <cmath>
#include <ctime>
#include <fmt/format.h>
#include <limits>
#include <utility>

#include <nlohmann/json.hpp>

namespace ulp::worker {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kSchemaFamily = "ulpscope.events/";
/// Of an unreadable line, that much is shown.
constexpr std::size_t kLongestQuote = 200;

Json number(double value) {
  if (std::isnan(value)) {
    return "NaN";
  }
  if (std::isinf(value)) {
    return value > 0 ? "Infinity" : "-Infinity";
  }
  return value;
}

Json fields(const StudyStarted& event) {
  Json json = {{"event", "study_started"},
               {"schema", kEventSchema},
               {"runs", event.runs},
               {"output_dir", event.outputDir},
               {"resumed", event.resumed}};
  if (!event.kept.empty()) {
    json["kept"] = event.kept;
  }
  if (!event.skipped.empty()) {
    json["skipped"] = event.skipped;
  }
  return json;
}

Json fields(const RunStarted& event) {
  Json json = {
      {"event", "run_started"}, {"run", event.run}, {"index", event.index}, {"total", event.total}};
  if (!event.device.empty()) {
    json["device"] = event.device;
  }
  if (event.samples > 1) {
    json["sample"] = event.sample;
    json["samples"] = event.samples;
  }
  return json;
}

Json fields(const Progress& event) {
  Json json = {{"event", "progress"},
               {"run", event.run},
               {"phase", event.phase},
               {"site", event.site},
               {"fraction", number(event.fraction)}};
  if (event.etaSeconds) {
    json["eta_seconds"] = number(*event.etaSeconds);
  }
  if (event.runFraction) {
    json["run_fraction"] = number(*event.runFraction);
  }
  if (event.runEtaSeconds) {
    json["run_eta_seconds"] = number(*event.runEtaSeconds);
  }
  return json;
}

Json fields(const RunFinished& event) {
  Json json = {{"event", "run_finished"},
               {"run", event.run},
               {"status", event.status},
               {"loss", number(event.loss)},
               {"seconds", number(event.seconds)},
               {"peak_bytes", event.peakBytes}};
  if (!event.error.empty()) {
    json["error"] = event.error;
  }
  return json;
}

Json fields(const ReportUpdated& event) {
  return {{"event", "report_updated"}, {"path", event.path}};
}

Json fields(const Message& event) {
  return {{"event", "message"}, {"level", event.level}, {"text", event.text}};
}

Json fields(const StudyFinished& event) {
  Json json = {{"event", "study_finished"},
               {"schema", kEventSchema},
               {"status", event.status},
               {"seconds", number(event.seconds)},
               {"report", event.report}};
  if (!event.errorCode.empty()) {
    json["error_code"] = event.errorCode;
    json["error"] = event.error;
  }
  return json;
}

/// Reads the fields of one event and remembers the first that is missing or of another type.
class Fields {
 public:
  explicit Fields(const Json& json) : m_json(json) {}

  std::string text(const char* key) { return get(key, &Json::is_string, std::string{}); }
  std::string optionalText(const char* key) { return m_json.contains(key) ? text(key) : ""; }
  bool boolean(const char* key) { return get(key, &Json::is_boolean, false); }
  int integer(const char* key) { return get(key, &Json::is_number_integer, 0); }
  int optionalInteger(const char* key, int otherwise) {
    return m_json.contains(key) ? integer(key) : otherwise;
  }
  std::uint64_t size(const char* key) {
    return get(key, &Json::is_number_unsigned, std::uint64_t{0});
  }

  double number(const char* key) {
    const auto found = m_json.find(key);
    if (found != m_json.end() && found->is_string()) {
      if (*found == "NaN") {
        return std::numeric_limits<double>::quiet_NaN();
      }
      if (*found == "Infinity" || *found == "-Infinity") {
        const double infinity = std::numeric_limits<double>::infinity();
        return *found == "Infinity" ? infinity : -infinity;
      }
    }
    return get(key, &Json::is_number, 0.0);
  }

  std::optional<double> optionalNumber(const char* key) {
    return m_json.contains(key) ? std::optional(number(key)) : std::nullopt;
  }

  std::vector<std::string> texts(const char* key) {
    std::vector<std::string> result;
    const auto found = m_json.find(key);
    if (found == m_json.end() || !found->is_array()) {
      complain(key);
      return result;
    }
    for (const Json& item : *found) {
      if (!item.is_string()) {
        complain(key);
        return result;
      }
      result.push_back(item.get<std::string>());
    }
    return result;
  }

  std::vector<std::string> optionalTexts(const char* key) {
    return m_json.contains(key) ? texts(key) : std::vector<std::string>();
  }

  [[nodiscard]] const std::string& firstComplaint() const { return m_complaint; }

 private:
  template <class T>
  T get(const char* key, bool (Json::*hasType)() const noexcept, T otherwise) {
    const auto found = m_json.find(key);
    if (found == m_json.end() || !((*found).*hasType)()) {
      complain(key);
      return otherwise;
    }
    return found->get<T>();
  }

  void complain(const char* key) {
    if (m_complaint.empty()) {
      m_complaint = fmt::format("field '{}' is missing or of another type", key);
    }
  }

  const Json& m_json;
  std::string m_complaint;
};

std::optional<Event> readEvent(std::string_view kind, Fields& in) {
  if (kind == "study_started") {
    return StudyStarted{in.texts("runs"),
                        in.text("output_dir"),
                        in.boolean("resumed"),
                        in.optionalTexts("kept"),
                        in.optionalTexts("skipped")};
  }
  if (kind == "run_started") {
    return RunStarted{in.text("run"),
                      in.integer("index"),
                      in.integer("total"),
                      in.optionalText("device"),
                      in.optionalInteger("sample", 0),
                      in.optionalInteger("samples", 1)};
  }
  if (kind == "progress") {
    return Progress{in.text("run"),
                    in.text("phase"),
                    in.text("site"),
                    in.number("fraction"),
                    in.optionalNumber("eta_seconds"),
                    in.optionalNumber("run_fraction"),
                    in.optionalNumber("run_eta_seconds")};
  }
  if (kind == "run_finished") {
    return RunFinished{in.text("run"),
                       in.text("status"),
                       in.number("loss"),
                       in.number("seconds"),
                       in.size("peak_bytes"),
                       in.optionalText("error")};
  }
  if (kind == "report_updated") {
    return ReportUpdated{in.text("path")};
  }
  if (kind == "message") {
    return Message{in.text("level"), in.text("text")};
  }
  if (kind == "study_finished") {
    return StudyFinished{in.text("status"),
                         in.number("seconds"),
                         in.text("report"),
                         in.optionalText("error_code"),
                         in.optionalText("error")};
  }
  return std::nullopt;
}

Result<> checkSchema(const Json& json) {
  const auto found = json.find("schema");
  if (found == json.end()) {
    return {};
  }
  const std::string schema = found->is_string() ? found->get<std::string>() : found->dump();
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

}  // namespace

std::string utcTimestamp(std::chrono::system_clock::time_point when) {
  const auto millis =
      std::chrono::duration_cast<std::chrono::milliseconds>(when.time_since_epoch()).count();
  const auto seconds = static_cast<std::time_t>(millis / 1000);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z",
                     parts.tm_year + 1900,
                     parts.tm_mon + 1,
                     parts.tm_mday,
                     parts.tm_hour,
                     parts.tm_min,
                     parts.tm_sec,
                     millis % 1000);
}

std::string toJsonLine(const Event& event) {
  Json json = std::visit([](const auto& each) { return fields(each); }, event);
  json["time"] = utcTimestamp(std::chrono::system_clock::now());
  // A path or a message of a library may hold bytes that are not UTF-8.
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<Event> parseEvent(std::string_view line) {
  const Json json = Json::parse(line, nullptr, false);
  if (!json.is_object()) {
    return fail(ErrorCode::CorruptData, fmt::format("event: not a JSON object: '{}'", quote(line)));
  }
  const auto kind = json.find("event");
  if (kind == json.end() || !kind->is_string()) {
    return fail(ErrorCode::CorruptData, fmt::format("event: without 'event': '{}'", quote(line)));
  }
  ULP_TRY(checkSchema(json));
  Fields in(json);
  const std::string name = kind->get<std::string>();
  auto event = readEvent(name, in);
  if (!event) {
    return Message{"info", std::string(line)};
  }
  if (!in.firstComplaint().empty()) {
    return fail(ErrorCode::CorruptData, fmt::format("event '{}': {}", name, in.firstComplaint()));
  }
  return *std::move(event);
}

}  // namespace ulp::worker
