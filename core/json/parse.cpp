#include "core/json/parse.h"

#include <fmt/format.h>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/stop_pace.h"
#include "core/base/text/c_locale.h"
#include "core/base/text/elided.h"

namespace ulp::json {
namespace {

/// Values are destroyed by recursion.
constexpr std::size_t kDeepest = 1000;

class EventAdapter final : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit EventAdapter(Events& events) : m_events(events) {}

  /// What ended it was a stop.
  [[nodiscard]] bool wasStopped() const { return m_wasStopped; }

  bool null() override { return goesOn() && m_events.null(); }
  bool boolean(bool value) override { return goesOn() && m_events.boolean(value); }
  bool number_integer(number_integer_t value) override {
    return goesOn() && m_events.negative(value);
  }
  bool number_unsigned(number_unsigned_t value) override {
    return goesOn() && m_events.natural(value);
  }
  bool number_float(number_float_t value, const string_t& spelled) override {
    return goesOn() && m_events.real(value, spelled);
  }
  bool string(string_t& value) override { return goesOn() && m_events.text(value); }
  bool binary(binary_t& /*value*/) override { return false; }  // no part of texts
  bool start_object(std::size_t /*size*/) override { return goesOn() && m_events.beginObject(); }
  bool key(string_t& name) override { return m_events.key(name); }
  bool end_object() override { return m_events.endObject(); }
  bool start_array(std::size_t /*size*/) override { return goesOn() && m_events.beginArray(); }
  bool end_array() override { return m_events.endArray(); }
  bool parse_error(std::size_t position,
                   const std::string& token,
                   const nlohmann::detail::exception& error) override {
    // Any other mistake has its place in the library's own words.
    const bool isTooBig = dynamic_cast<const nlohmann::json::out_of_range*>(&error) != nullptr;
    m_events.syntaxError(position,
                         isTooBig ? fmt::format("byte {}: {} is beyond the range of double numbers",
                                                position + 1 - token.size(),
                                                elided(token))
                                  : error.what());
    return false;
  }

 private:
  bool goesOn() {
    m_wasStopped = m_wasStopped || m_pace.isStopped();
    return !m_wasStopped;
  }

  Events& m_events;
  StopPace m_pace;
  bool m_wasStopped = false;
};

}  // namespace

Result<> readEvents(std::string_view text, Events& events) {
  // Elsewhere the library spells "1.5" as the locale does.
  const CLocale points;
  EventAdapter adapter(events);
  const auto parse = [&] { return nlohmann::json::sax_parse(text.begin(), text.end(), &adapter); };
  const bool isRead = ULP_TRY(guarded(parse));
  if (adapter.wasStopped()) {
    return stopped();
  }
  return isRead ? Result<>() : fail(ErrorCode::CorruptData, "not the JSON that is needed");
}

bool DocumentBuilder::real(double value, const std::string& /*spelled*/) {
  return add(value);
}

bool DocumentBuilder::key(std::string& name) {
  m_member = &(*m_open.back())[name];
  return true;
}

bool DocumentBuilder::endObject() {
  m_open.pop_back();
  return true;
}

void DocumentBuilder::syntaxError(std::size_t byte, const std::string& what) {
  m_problem = what;
  m_problemByte = byte;
}

bool DocumentBuilder::add(Value value) {
  put(std::move(value));
  return true;
}

Value& DocumentBuilder::put(Value value) {
  if (m_open.empty()) {
    return m_root = std::move(value);
  }
  if (m_open.back()->isArray()) {
    return m_open.back()->append(std::move(value));
  }
  return *m_member = std::move(value);
}

bool DocumentBuilder::open(Value container) {
  if (m_open.size() == kDeepest) {
    m_problem = fmt::format("nested more than {} levels deep", kDeepest);
    return false;
  }
  m_open.push_back(&put(std::move(container)));
  return true;
}

Result<Value> parse(std::string_view text) {
  DocumentBuilder builder;
  if (const auto read = readEvents(text, builder); !read) {
    return read.error().code() == ErrorCode::CorruptData
               ? fail(ErrorCode::CorruptData, builder.problem())
               : tl::unexpected<Error>(read.error());
  }
  return builder.take();
}

Result<Value> parseObject(std::string_view text, std::string_view complaint) {
  auto object = parse(text);
  const bool isOther =
      object ? !object->isObject() : object.error().code() == ErrorCode::CorruptData;
  return isOther ? fail(ErrorCode::CorruptData, std::string(complaint)) : std::move(object);
}

}  // namespace ulp::json
