#pragma once

#include <vector>

#include <QtCore/QString>
#include <QtCore/QStringList>

namespace ulp::views {

/// A mistake in the text of a study.
struct StudyProblem {
  int line = 0;  ///< from 1; 0: the whole file
  QString text;  ///< without file and position
};

struct StudyVariant {
  QString name;
  QString overrides;  ///< "precision.compute_dtype = bfloat16, …"
};

/// What the editor says about a study while it is typed.
struct StudyCheck {
  std::vector<StudyProblem> problems;
  std::vector<StudyVariant> variants;
  QString model;
  QString outputDir;  ///< absolute
};

/// Parses and validates; slow enough to be done in the background.
[[nodiscard]] StudyCheck checkStudyText(const QString& text, const QString& path);
/// Cuts `origin:line:column: what` into its parts, one problem a line of `message`.
[[nodiscard]] std::vector<StudyProblem> problemsOf(const QString& message, const QString& origin);

}  // namespace ulp::views
