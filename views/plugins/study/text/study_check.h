#pragma once

#include <memory>
#include <vector>

#include <QtCore/QString>

#include "core/report/model/report.h"
#include "core/study/reading/study.h"
#include "core/study/yaml/yaml_tree.h"
#include "views/framework/look/theme.h"

namespace ulp::views {

/// A mistake in the text of a study, or a setting that has no effect.
struct StudyProblem {
  int line = 0;    ///< from 1; 0: the whole file
  int column = 0;  ///< from 1, in UTF-16 units; 0: the whole line
  int length = 0;  ///< of what is wrong, in UTF-16 units
  Severity severity = Severity::Broken;
  QString text;             ///< without file and position
  QString key;              ///< the schema key that it concerns, where one stands there
  bool isOverride = false;  ///< of a variant or the reference, not of the study
};

/// What the editor says about a study while it is typed.
struct StudyCheck {
  QString text;  ///< that was checked
  std::vector<StudyProblem> problems;
  std::shared_ptr<const study::YamlNode> tree;  ///< null while the text is no YAML
  std::shared_ptr<const study::Study> study;    ///< null while something is wrong
  study::EffectiveTable effective;              ///< of a valid study
  QString outputDir;                            ///< absolute

  [[nodiscard]] bool isValid() const { return study != nullptr; }
};

using StudyCheckPtr = std::shared_ptr<const StudyCheck>;

/// Parses and validates; slow enough to be done in the background.
[[nodiscard]] StudyCheck checkStudyText(const QString& text, const QString& path);
/// What the runs of a report used and who had set it, in the place of what `table` has of them.
void takeRecorded(study::EffectiveTable& table, const report::Report& report);
/// Cuts `origin:line:column: what` into its parts, one problem a line of `message`. Columns are
/// those of `yaml`, turned from bytes to UTF-16 units.
[[nodiscard]] std::vector<StudyProblem> problemsOf(const QString& message,
                                                   const QString& origin,
                                                   const QString& yaml = {});

}  // namespace ulp::views
