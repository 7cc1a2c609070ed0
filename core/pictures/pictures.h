#pragma once

#include <memory>
#include <string>

#include "core/base/result.h"
#include "core/report/formats/format.h"
#include "core/report/model/report.h"

/// Pictures of reports for programs that do not link Qt. The implementation is a shared library
/// (views/printing/library) that loadPictures() opens when a picture is asked for.
namespace ulp::pictures {

struct PictureRequest {
  std::string what;  ///< report | depth | summary | runs | table, or what a view draws: heatmap, …
  std::string format;  ///< html and pdf for a report, else png, svg, pdf and those of tables
  /// Passes, metrics, runs, noise; empty: what the window shows first.
  report::ExportOptions options;
  report::DocumentJudgement judgement;  ///< of a report: what rules say of what `options` choose
  double scale = 1;                     ///< pixels of a PNG for each of the picture, 1 … 4
  double width = 0;                     ///< of the chart, in pixels at scale 1; 0: as it prefers
  double height = 0;
};

/// What pictures are drawn with.
struct PictureFacts {
  std::string qtVersion;
  int fontFamilies = 0;
  std::string font;  ///< the family of texts
};

class Pictures {
 public:
  virtual ~Pictures() = default;

  [[nodiscard]] virtual PictureFacts facts() = 0;

  /// The bytes of the file. Errors: InvalidArgument for what the request names and the report does
  /// not hold, or for a format that `what` cannot have; those of drawing and encoding.
  [[nodiscard]] virtual Result<std::string> draw(const report::LoadedReport& loaded,
                                                 const PictureRequest& request) = 0;
};

/// Opens libulpscope_pictures.so beside the program or in ../lib, or where $ULP_PICTURES_LIBRARY
/// says. Needs no display. Call on the main thread, once. Errors: Unsupported with the remedy.
[[nodiscard]] Result<std::shared_ptr<Pictures>> loadPictures();

}  // namespace ulp::pictures
