#pragma once

#include "widgets/async/latest_job.h"
#include "widgets/controls/field_grid.h"
#include "widgets/docks/lock_stat/lock_class_model.h"
#include "widgets/docks/lock_stat/lock_point_model.h"
#include "widgets/workspace/lock_stat_text.h"
#include "widgets/workspace/saved_choices.h"
#include "widgets/workspace/searchable.h"
#include "widgets/workspace/shown_command.h"
#include "widgets/workspace/view_context.h"

class QLineEdit;
class QSplitter;
class QStackedWidget;
class QTreeView;

namespace helio {

class EmptyPage;
class NoticeBar;
class Pill;

/// What a kernel counted of its locks, by class, and where in the kernel those of the chosen class were waited for. It has no times:
/// neither the cursor nor the selected range is about it. The row of the chosen lock is selected where the recording has one. UI thread.
class LockStatView : public PanelGround, public SavedChoices, public Searchable, public OffersCommand {
    Q_OBJECT

public:
    explicit LockStatView(ViewContext& context, QWidget* parent = nullptr);

    QJsonObject save() const override; ///< By what it is sorted, the filter, and the chosen class.
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
    QStringList problemLines() const; ///< Requires: a text was read.
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
    std::string m_chosen; ///< The name of a class; empty: none.
    bool m_isChanging = false; ///< What is selected follows the list, not a person.
    LatestJob m_rowJob;
};

} // namespace helio
