#pragma once

#include <array>

#include "core/base/unit_axes.h"
#include "core/json/record.h"
#include "core/report/model/dump_origin.h"

/// The fields `dumps` of precision_report.json and `axes` of its runs.
namespace ulp::report {

inline constexpr std::array kAxesFields{
    json::field<&UnitAxes::run, json::isGiven<&UnitAxes::run>>("run"),
    json::field<&UnitAxes::step>("step"),
    json::field<&UnitAxes::rank>("rank"),
    json::field<&UnitAxes::token>("token")};

/// Reads `path`, and the axes of a choice of units beside it.
inline void readDumpSide(json::Reader& json, DumpSide& side) {
  json.readObject([&](std::string_view name) {
    if (name == "path") {
      side.path = json.readString();
    } else if (!json::readField(json, side.units, kAxesFields, name)) {
      json.skipValue();
    }
  });
}

inline void writeDumpSide(json::Writer& json, std::string_view name, const DumpSide& side) {
  json.key(name);
  json.beginObject();
  json.field("path", side.path.string());
  json::writeFields(json, side.units, kAxesFields);
  json.endObject();
}

template <DumpSide DumpOrigin::*kSide>
constexpr json::Field<DumpOrigin> dumpSideField(std::string_view name) {
  return {name,
          [](json::Reader& json, DumpOrigin& origin) { readDumpSide(json, origin.*kSide); },
          [](json::Writer& json, std::string_view key, const DumpOrigin& origin) {
            writeDumpSide(json, key, origin.*kSide);
          }};
}

inline constexpr std::array kDumpOriginFields{
    dumpSideField<&DumpOrigin::baseline>("baseline"),
    dumpSideField<&DumpOrigin::candidate>("candidate"),
    json::field<&DumpOrigin::mapping, json::isGiven<&DumpOrigin::mapping>>("mapping"),
    json::Field<DumpOrigin>{
        "compared",
        [](json::Reader& json, DumpOrigin& origin) {
          origin.readsElements = json.readString() != "recorded";
        },
        [](json::Writer& json, std::string_view name, const DumpOrigin& origin) {
          if (!origin.readsElements) {
            json.field(name, std::string_view("recorded"));
          }
        }}};

}  // namespace ulp::report
