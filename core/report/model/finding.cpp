#include "core/report/model/finding.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/json/record.h"

namespace ulp::report {
namespace {

constexpr std::string_view kField = "findings";
constexpr std::array<std::string_view, 3> kSeverities{"note", "look", "broken"};

constexpr auto kLayer = json::field<&Site::layer>("layer");

constexpr std::array kFoundSiteFields{
    json::field<&Site::name>("name"),
    json::field<&Site::module>("module"),
    json::Field<Site>{kLayer.name,
                      [](json::Reader& json, Site& site) {
                        site.layer = static_cast<int>(
                            std::clamp<std::int64_t>(json.readInteger(), -1, 1 << 30));
                      },
                      kLayer.write},
    json::enumField<&Site::level, parseLevel, Level::Module>("level"),
    json::enumField<&Site::pass, parsePass, Pass::Forward>("pass")};

/// Arguments in arguments; patterns of ours come to eight, with the longest list of suspects.
constexpr std::size_t kDeepestSentence = 32;

/// Makes the field of a sentence's finished text.
template <Sentence Finding::*kSentence>
constexpr json::Field<Finding> sentenceField(std::string_view name) {
  return {name,
          [](json::Reader& json, Finding& finding) {
            (finding.*kSentence).pattern = json.readString();
          },
          [](json::Writer& json, std::string_view key, const Finding& finding) {
            json.field(key, (finding.*kSentence).text());
          }};
}

/// A literal is a text, any other sentence a list: its pattern, then its arguments.
void writeParts(json::Writer& json, const Sentence& sentence) {  // NOLINT(misc-no-recursion)
  if (sentence.isLiteral) {
    json.value(sentence.pattern);
    return;
  }
  json.beginArray();
  json.value(sentence.pattern);
  for (const Sentence& argument : sentence.arguments) {
    writeParts(json, argument);
  }
  json.endArray();
}

/// Reads the next value; false: it is no sentence, or arguments stand in each other more than
/// `deepest` times.
// NOLINTNEXTLINE(misc-no-recursion): to kDeepestSentence
bool readParts(json::Reader& json, Sentence& sentence, std::size_t deepest) {
  if (json.peek() == json::Reader::Token::Text) {
    sentence = json.readString();
    return true;
  }
  if (json.peek() != json::Reader::Token::BeginArray || deepest == 0) {
    json.skipValue();
    return false;
  }
  bool hasPattern = false;
  bool isWhole = true;
  json.readArray([&] {
    if (hasPattern) {
      isWhole = readParts(json, sentence.arguments.emplace_back(), deepest - 1) && isWhole;
    } else if (json.peek() == json::Reader::Token::Text) {
      sentence.pattern = json.readString();
      hasPattern = true;
    } else {
      json.skipValue();
      isWhole = false;
    }
  });
  return isWhole && hasPattern;
}

/// Makes the field of what a sentence is put together from, in any language. It may come before the
/// text: readFinding() reads it.
template <Sentence Finding::*kSentence>
constexpr json::Field<Finding> partsField(std::string_view name) {
  return {name, nullptr, [](json::Writer& json, std::string_view key, const Finding& finding) {
            if (!(finding.*kSentence).arguments.empty()) {
              json.key(key);
              writeParts(json, finding.*kSentence);
            }
          }};
}
constexpr auto kTitleParts = partsField<&Finding::title>("title_parts");
constexpr auto kExplanationParts = partsField<&Finding::explanation>("explanation_parts");

constexpr json::Field<Finding> kNumbersField{
    "numbers",
    [](json::Reader& json, Finding& finding) {
      json.readObject([&](std::string_view name) {
        std::string key(name);
        finding.numbers.push_back({.name = std::move(key), .value = json.readNumber()});
      });
    },
    [](json::Writer& json, std::string_view name, const Finding& finding) {
      json.field(name, [&] {
        for (const FindingNumber& number : finding.numbers) {
          json.field(number.label(), number.value);
        }
      });
    }};

/// Names the numbers that are shown as percentages. They may come behind this field: readFinding()
/// reads it.
constexpr json::Field<Finding> kRatiosField{
    "ratios", nullptr, [](json::Writer& json, std::string_view name, const Finding& finding) {
      std::vector<std::string> ratios;
      for (const FindingNumber& number : finding.numbers) {
        if (number.isRatio) {
          ratios.push_back(number.label());
        }
      }
      if (!ratios.empty()) {
        json.field(name, ratios);
      }
    }};

constexpr std::array kFindingFields{
    json::field<&Finding::rule>("rule"),
    json::enumField<&Finding::severity, parseFindingSeverity, FindingSeverity::Note>("severity"),
    sentenceField<&Finding::title>("title"),
    kTitleParts,
    sentenceField<&Finding::explanation>("explanation"),
    kExplanationParts,
    json::field<&Finding::runs>("runs"),
    json::recordField<&Finding::sites, kFoundSiteFields>("sites"),
    kNumbersField,
    kRatiosField,
    json::field<&Finding::overrides>("overrides")};

/// The text stands where the parts do not make it.
void takeParts(std::optional<Sentence> parts, Sentence& text) {
  if (parts && parts->reads(text.pattern)) {
    text = std::move(*parts);
  }
}

Finding readFinding(json::Reader& json) {
  Finding finding;
  std::vector<std::string> ratios;
  std::optional<Sentence> title;
  std::optional<Sentence> explanation;
  const auto read = [&](std::optional<Sentence>& parts) {
    if (Sentence sentence; readParts(json, sentence, kDeepestSentence)) {
      parts = std::move(sentence);
    }
  };
  json.readObject([&](std::string_view field) {
    if (field == kRatiosField.name) {
      json::readInto(json, ratios);
    } else if (field == kTitleParts.name) {
      read(title);
    } else if (field == kExplanationParts.name) {
      read(explanation);
    } else if (!json::readField(json, finding, kFindingFields, field)) {
      json.skipValue();
    }
  });
  takeParts(std::move(title), finding.title);
  takeParts(std::move(explanation), finding.explanation);
  for (FindingNumber& number : finding.numbers) {
    number.isRatio = std::ranges::find(ratios, number.name) != ratios.end();
  }
  return finding;
}

}  // namespace

std::string_view toString(FindingSeverity severity) {
  return kSeverities.at(static_cast<std::size_t>(severity));
}

std::optional<FindingSeverity> parseFindingSeverity(std::string_view name) {
  const auto* const found = std::ranges::find(kSeverities, name);
  return found == kSeverities.end()
             ? std::nullopt
             : std::optional(static_cast<FindingSeverity>(found - kSeverities.begin()));
}

Result<std::vector<Finding>> readFindings(const Report& report) {
  std::vector<Finding> findings;
  if (report.extraJson.empty()) {
    return findings;
  }
  json::Reader json(report.extraJson, "findings of the report");
  json.readObject([&](std::string_view field) {
    if (field == kField) {
      json.readArray([&] { findings.push_back(readFinding(json)); });
    } else {
      json.skipValue();
    }
  });
  ULP_TRY(json.finish());
  return findings;
}

void setFindings(Report& report, const std::vector<Finding>& findings) {
  json::Writer out;
  const auto write = [&](const Finding& finding) {
    json::writeFields(out, finding, kFindingFields);
  };
  out.beginObject();
  if (!findings.empty()) {
    // The writer of the report looks for findings at the front.
    out.objects(kField, findings, write, {.items = 2, .end = 1});
  }
  bool hasFields = !findings.empty();
  if (!report.extraJson.empty()) {
    json::Reader others(report.extraJson, kField);
    others.readObject([&](std::string_view field) {
      const std::string name(field);
      const std::string_view raw = others.skipValue();
      if (name != kField) {
        out.key(name);
        out.raw(raw);
        hasFields = true;
      }
    });
  }
  out.endObject();
  report.extraJson = hasFields ? std::move(out).take() : std::string();
}

}  // namespace ulp::report
