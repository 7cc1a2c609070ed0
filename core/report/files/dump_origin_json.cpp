#include "core/report/files/dump_origin_json.h"

#include <optional>
#include <string_view>

namespace ulp::report {
namespace {

void writeAxisFields(json::Writer& json, const UnitAxes& axes) {
  if (!axes.run.empty()) {
    json.field("run", axes.run);
  }
  const auto write = [&](std::string_view name, std::optional<std::int64_t> value) {
    if (value) {
      json.field(name, *value);
    }
  };
  write("step", axes.step);
  write("rank", axes.rank);
  write("token", axes.token);
}

bool readAxisField(json::Reader& json, UnitAxes& axes, std::string_view field) {
  if (field == "run") {
    axes.run = json.readString();
  } else if (field == "step") {
    axes.step = json.readInteger();
  } else if (field == "rank") {
    axes.rank = json.readInteger();
  } else if (field == "token") {
    axes.token = json.readInteger();
  } else {
    return false;
  }
  return true;
}

void writeSide(json::Writer& json, std::string_view name, const DumpSide& side) {
  json.key(name);
  json.beginObject();
  json.field("path", side.path.string());
  writeAxisFields(json, side.units);
  json.endObject();
}

DumpSide readSide(json::Reader& json) {
  DumpSide side;
  json.readObject([&](std::string_view field) {
    if (field == "path") {
      side.path = json.readString();
    } else if (!readAxisField(json, side.units, field)) {
      json.skipValue();
    }
  });
  return side;
}

}  // namespace

void writeAxes(json::Writer& json, const UnitAxes& axes) {
  json.key("axes");
  json.beginObject();
  writeAxisFields(json, axes);
  json.endObject();
}

void writeDumpOrigin(json::Writer& json, const DumpOrigin& origin) {
  json.key("dumps");
  json.beginObject();
  writeSide(json, "baseline", origin.baseline);
  writeSide(json, "candidate", origin.candidate);
  if (!origin.mapping.empty()) {
    json.field("mapping", origin.mapping);
  }
  if (!origin.readsElements) {
    json.field("compared", "recorded");
  }
  json.endObject();
}

UnitAxes readAxes(json::Reader& json) {
  UnitAxes axes;
  json.readObject([&](std::string_view field) {
    if (!readAxisField(json, axes, field)) {
      json.skipValue();
    }
  });
  return axes;
}

DumpOrigin readDumpOrigin(json::Reader& json) {
  DumpOrigin origin;
  json.readObject([&](std::string_view field) {
    if (field == "baseline") {
      origin.baseline = readSide(json);
    } else if (field == "candidate") {
      origin.candidate = readSide(json);
    } else if (field == "mapping") {
      origin.mapping = json.readString();
    } else if (field == "compared") {
      origin.readsElements = json.readString() != "recorded";
    } else {
      json.skipValue();
    }
  });
  return origin;
}

}  // namespace ulp::report
