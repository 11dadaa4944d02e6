#pragma once

#include <QLayout>
#include <QList>

namespace helio {

/// Layout of widgets in lines at their preferred widths, with line breaks as in a text.
/// Ownership: owns its items, like every layout.
class FlowLayout : public QLayout {
public:
    /// `gap`: pixels between widgets of a line; `lineGap`: pixels between lines.
    FlowLayout(int gap, int lineGap);
    ~FlowLayout() override;

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
    /// Returns the height of the layout for the width of `rect`. If `moves`, also places the items in `rect`.
    int place(const QRect& rect, bool moves) const;

    int m_gap;
    int m_lineGap;
    QList<QLayoutItem*> m_items;
};

} // namespace helio
