#include "core/report/files/spread_json.h"

namespace ulp::report {

void writeSpreadFields(json::Writer& json, const Spread& spread) {
  json.field("sd", spread.sd);
  json.field("min", spread.minimum);
  json.field("max", spread.maximum);
  if (spread.undefined != 0) {
    json.field("undefined", spread.undefined);
  }
}

void writeSpread(json::Writer& json, std::string_view name, const Spread& spread) {
  json.key(name);
  json.beginObject();
  writeSpreadFields(json, spread);
  json.endObject();
}

Spread readSpread(json::Reader& json, double* mean) {
  Spread spread;
  json.readObject([&](std::string_view field) {
    if (field == "mean" && mean != nullptr) {
      *mean = json.readNumber();
    } else if (field == "sd") {
      spread.sd = json.readNumber();
    } else if (field == "min") {
      spread.minimum = json.readNumber();
    } else if (field == "max") {
      spread.maximum = json.readNumber();
    } else if (field == "undefined") {
      spread.undefined = json.readCount();
    } else {
      json.skipValue();
    }
  });
  return spread;
}

}  // namespace ulp::report
