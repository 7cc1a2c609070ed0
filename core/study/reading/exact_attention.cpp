#include "core/study/reading/exact_attention.h"

namespace ulp::study {

bool takesExactAttention(const Settings& settings) {
  const auto attention = settings.find("attention.implementation");
  const auto compute = settings.find("precision.compute_dtype");
  const auto order = settings.find("attention.order");
  return attention != settings.end() && attention->second.origin == Origin::Default &&
         (order == settings.end() || order->second.value == "[]") && compute != settings.end() &&
         (compute->second.value == "float32" || compute->second.value == "float64");
}

}  // namespace ulp::study
