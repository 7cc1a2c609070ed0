#include "runner/worker/input/tokenizer_path.h"

namespace ulp::worker {

Result<std::filesystem::path> tokenizerPath(const study::Study& study) {
  return study.tokenizerPath.empty() ? study::resolveModelPath(study) : study.tokenizerPath;
}

}  // namespace ulp::worker
