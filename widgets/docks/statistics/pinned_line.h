#pragma once

#include <QPersistentModelIndex>
#include <QWidget>

class QTreeView;

namespace helio {

/// The selected line of a table while it is out of view, at the edge that it lies beyond; a click scrolls there. A child of the table's
/// viewport, which it follows.
class PinnedLine : public QWidget {
    Q_OBJECT

public:
    explicit PinnedLine(QTreeView& table);

    /// After the table's lines, selection, size or scrolling changed.
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
