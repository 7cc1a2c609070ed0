#pragma once

#include <cstdio>
#include <string>

namespace ulp::bench {

enum class Better { Lower, Higher };

/// One figure of a benchmark beside what it is to hold.
struct Aim {
  std::string title;
  double limit = 0;
  std::string unit;
  Better better = Better::Lower;
};

/// "first chart   1.21 s   aim 1.5   pass"
inline void printFigure(const Aim& aim, double measured) {
  const bool holds = aim.better == Better::Lower ? measured <= aim.limit : measured >= aim.limit;
  std::printf("%-58s %9.4g %-9s aim %6.4g   %s\n",
              aim.title.c_str(),
              measured,
              aim.unit.c_str(),
              aim.limit,
              holds ? "pass" : "FAIL");
  std::fflush(stdout);
}

/// A figure that is stated and has no aim.
inline void printFigure(const std::string& title, double measured, const std::string& unit) {
  std::printf("%-58s %9.4g %s\n", title.c_str(), measured, unit.c_str());
  std::fflush(stdout);
}

}  // namespace ulp::bench
