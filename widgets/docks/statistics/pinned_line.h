#pragma once

#include <QPersistentModelIndex>
#include <QWidget>

class QTreeView;

namespace helio {

/// Shows the selected line of a table while it is scrolled out of view, at the edge beyond which it lies; a click scrolls to it. A child of
/// the table's viewport, which it follows.
class PinnedLine : public QWidget {
    Q_OBJECT

public:
    explicit PinnedLine(QTreeView& table);

    /// Must be called after the table's lines, selection, size or scroll position changed.
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
