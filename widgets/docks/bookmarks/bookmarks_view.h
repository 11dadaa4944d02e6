#pragma once

#include "widgets/controls/field_grid.h"
#include "widgets/workspace/shown_command.h"
#include "widgets/workspace/view_context.h"

class QTreeWidget;

namespace helio {

/// List of the bookmarks in time order. Enter or a click goes to a bookmark, F2 renames it, Delete removes it.
class BookmarksView : public PanelGround, public CommandProvider {
    Q_OBJECT

public:
    explicit BookmarksView(ViewContext& context, QWidget* parent = nullptr);

    /// Returns the command that opens a window at the current bookmark.
    ShownCommand shownCommand() const override;

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
