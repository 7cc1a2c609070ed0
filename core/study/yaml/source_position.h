#pragma once

namespace ulp::study {

/// Position in the text, from 1; 0: not from a file.
struct SourcePosition {
  int line = 0;
  int column = 0;
};

}  // namespace ulp::study
