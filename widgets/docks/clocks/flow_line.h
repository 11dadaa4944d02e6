#pragma once

#include <QLayout>
#include <QList>

namespace helio {

/// Widgets in a line, as wide as they like to be, which goes on below where there is no more room. Owns its items, as layouts do.
class FlowLine : public QLayout {
public:
    /// Pixels between neighbours, and between lines.
    FlowLine(int gap, int lineGap);
    ~FlowLine() override;

    void addItem(QLayoutItem* item) override { m_items << item; }
    int count() const override { return int(m_items.size()); }
    QLayoutItem* itemAt(int index) const override { return m_items.value(index); }
    QLayoutItem* takeAt(int index) override { return index >= 0 && index < m_items.size() ? m_items.takeAt(index) : nullptr; }
    Qt::Orientations expandingDirections() const override { return {}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override { return place({0, 0, width, 0}, false); }
    void setGeometry(const QRect& rect) override;
    QSize sizeHint() const override { return minimumSize(); }
    QSize minimumSize() const override;

private:
    int place(const QRect& rect, bool moves) const; ///< The height that it takes.

    int m_gap;
    int m_lineGap;
    QList<QLayoutItem*> m_items;
};

} // namespace helio
