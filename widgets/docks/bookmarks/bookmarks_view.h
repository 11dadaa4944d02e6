#pragma once

#include "widgets/controls/field_grid.h"
#include "widgets/workspace/view_context.h"

class QTreeWidget;

namespace helio {

/// List of the bookmarks in time order. Enter or a click goes to a bookmark, F2 renames it, Delete removes it.
class BookmarksView : public PanelGround {
    Q_OBJECT

public:
    explicit BookmarksView(ViewContext& context, QWidget* parent = nullptr);

private:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void refill();
    void goTo(int index);

    ViewContext& m_context;
    QTreeWidget* m_list;
    QLabel* m_empty;
    bool m_isFilling = false;
};

} // namespace helio
