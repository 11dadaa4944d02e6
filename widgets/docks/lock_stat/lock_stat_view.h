#pragma once

#include "widgets/async/latest_task.h"
#include "widgets/controls/field_grid.h"
#include "widgets/docks/lock_stat/lock_class_model.h"
#include "widgets/docks/lock_stat/lock_point_model.h"
#include "widgets/workspace/lock_stat_text.h"
#include "widgets/workspace/shown_command.h"
#include "widgets/workspace/view_context.h"
#include "widgets/workspace/view_roles.h"

class QLineEdit;
class QSplitter;
class QStackedWidget;
class QTreeView;

namespace helio {

class EmptyPage;
class NoticeBar;
class Pill;

/// Dock with the lock statistics of a kernel by class, and the code locations that waited for locks of the selected class. The statistics
/// have no times, so cursor and selection have no effect. Selecting a class also selects the lock's row if the recording has one.
/// Threads: UI thread.
class LockStatView : public PanelGround, public SavedViewState, public Searchable, public CommandProvider {
    Q_OBJECT

public:
    explicit LockStatView(ViewContext& context, QWidget* parent = nullptr);

    QJsonObject save() const override; ///< Saves sort order, filter and selected class.
    void restore(const QJsonObject& kept) override;
    void focusSearch() override;
    ShownCommand shownCommand() const override;

private:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void makeHead();
    void makeTables();
    void showText();
    void showEmptyPage();
    QStringList problemLines() const; ///< Returns the lines of the text that could not be read, as messages. Requires that a text was read.
    void showProblems();
    void showSums();
    void showChosen();
    void choose(int row);
    void showPoints(int row);
    void selectRow();
    template <typename Change> void changeList(Change change);

    ViewContext& m_context;
    LockStatText& m_source;
    LockClassModel m_classes;
    LockPointModel m_points;
    QLabel* m_title;
    QLabel* m_what;
    Pill* m_copy;
    QLineEdit* m_filter;
    NoticeBar* m_problems;
    EmptyPage* m_page;
    QWidget* m_content;
    QStackedWidget* m_stack;
    QTreeView* m_table;
    QLabel* m_sums;
    QWidget* m_right;
    QLabel* m_pointsTitle;
    QTreeView* m_pointTable;
    QSplitter* m_parts;
    std::string m_chosen; ///< Name of the selected class; empty if none.
    bool m_isChanging = false; ///< True while the selection changes because of a change of the list, not by the user.
    LatestTask m_rowJob;
};

} // namespace helio
