#pragma once

class QSplitter;
class QTableView;

namespace ulp::views {

/// The height at which a table shows all its rows, with its headings and a bar to scroll sideways.
[[nodiscard]] int fullHeight(const QTableView& table);
/// fullHeight(), or as many whole rows as half of the splitter holds that the table is a part of. A
/// little more than half is given where that shows all and leaves the other part its least height.
[[nodiscard]] int partForRows(const QSplitter& split, const QTableView& table);
/// Divides a splitter of two parts so that its table has partForRows(), until the user has moved
/// the handle (divideUntilMoved()).
void divideForRows(QSplitter& split, QTableView& table);

}  // namespace ulp::views
