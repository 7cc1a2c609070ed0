#include "runner/worker/events/events.h"

#include <chrono>
#include <cmath>
#include <ctime>
#include <fmt/format.h>
#include <limits>
#include <utility>

#include "core/json/dump.h"
#include "core/json/parse.h"

namespace ulp::worker {
namespace {

using json::Object;
using json::Value;

constexpr std::string_view kSchemaFamily = "ulpscope.events/";
/// Of an unreadable line, that much is shown.
constexpr std::size_t kLongestQuote = 200;

Value number(double value) {
  if (std::isnan(value)) {
    return "NaN";
  }
  if (std::isinf(value)) {
    return value > 0 ? "Infinity" : "-Infinity";
  }
  return value;
}

Object fields(const StudyStarted& event) {
  Object json{{"event", "study_started"},
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

Object fields(const RunStarted& event) {
  Object json{
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

Object fields(const Progress& event) {
  Object json{{"event", "progress"},
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

Object fields(const RunFinished& event) {
  Object json{{"event", "run_finished"},
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

Object fields(const ReportUpdated& event) {
  return {{"event", "report_updated"}, {"path", event.path}};
}

Object fields(const Message& event) {
  return {{"event", "message"}, {"level", event.level}, {"text", event.text}};
}

Object fields(const StudyFinished& event) {
  Object json{{"event", "study_finished"},
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
  explicit Fields(const Value& json) : m_json(json) {}

  std::string text(const char* key) { return checked(key, &Value::isText).text(); }
  std::string optionalText(const char* key) { return m_json.contains(key) ? text(key) : ""; }
  bool boolean(const char* key) { return checked(key, &Value::isBoolean).boolean(); }
  int integer(const char* key) {
    return static_cast<int>(checked(key, &Value::isInteger).integer());
  }
  int optionalInteger(const char* key, int otherwise) {
    return m_json.contains(key) ? integer(key) : otherwise;
  }
  std::uint64_t size(const char* key) {
    const Value& value = checked(key, &Value::isInteger);
    if (value.integer() < 0 && !value.isBeyondInt64()) {
      complain(key);
      return 0;
    }
    return static_cast<std::uint64_t>(value.integer());
  }

  double number(const char* key) {
    const std::string& word = m_json.at(key).text();
    if (word == "NaN") {
      return std::numeric_limits<double>::quiet_NaN();
    }
    if (word == "Infinity" || word == "-Infinity") {
      const double infinity = std::numeric_limits<double>::infinity();
      return word == "Infinity" ? infinity : -infinity;
    }
    return checked(key, &Value::isNumber).number();
  }

  std::optional<double> optionalNumber(const char* key) {
    return m_json.contains(key) ? std::optional(number(key)) : std::nullopt;
  }

  std::vector<std::string> texts(const char* key) {
    std::vector<std::string> result;
    for (const Value& item : checked(key, &Value::isArray).items()) {
      if (!item.isText()) {
        complain(key);
        return result;
      }
      result.push_back(item.text());
    }
    return result;
  }

  std::vector<std::string> optionalTexts(const char* key) {
    return m_json.contains(key) ? texts(key) : std::vector<std::string>();
  }

  [[nodiscard]] const std::string& firstComplaint() const { return m_complaint; }

 private:
  const Value& checked(const char* key, bool (Value::*isOfType)() const) {
    const Value& value = m_json.at(key);
    if (!(value.*isOfType)()) {
      complain(key);
    }
    return value;
  }

  void complain(const char* key) {
    if (m_complaint.empty()) {
      m_complaint = fmt::format("field '{}' is missing or of another type", key);
    }
  }

  const Value& m_json;
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

Result<> checkSchema(const Value& json) {
  const Value* found = json.find("schema");
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
  Object json = std::visit([](const auto& each) { return fields(each); }, event);
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
  Fields in(*json);
  const std::string& name = kind.text();
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
