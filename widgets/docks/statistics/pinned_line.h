#pragma once

#include <QPersistentModelIndex>
#include <QWidget>

class QTreeView;

namespace helio {

/// Copy of the selected line of a table. While the line is scrolled out of view, the copy is shown at the upper or lower edge, where the
/// line disappeared; a click on it scrolls to the line. A child of the table's viewport.
class PinnedLine : public QWidget {
    Q_OBJECT

public:
    explicit PinnedLine(QTreeView& table);

    /// Updates the position. Must be called after the table's lines, selection, size or scroll position changed.
    void place();

private:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

    QTreeView& m_table;
    QPersistentModelIndex m_line;
    bool m_isBelow = false;
};

} // namespace helio
