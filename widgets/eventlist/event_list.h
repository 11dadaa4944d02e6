#pragma once

#include "widgets/eventlist/event_model.h"

#include <QWidget>

class QLabel;
class QMenu;
class QScrollBar;
class QTableView;

namespace helio {

/// Table of any number of events; only the lines on screen are created. Arrow keys, page keys and the wheel move the current line; with
/// Shift, keys and clicks extend the range of lines to copy.
class EventList : public QWidget {
    Q_OBJECT

public:
    explicit EventList(QWidget* parent = nullptr);

    EventPages& pages() { return m_pages; }
    EventModel& model() { return m_model; }

    std::optional<std::uint64_t> current() const { return m_current; }
    /// Selects a line and scrolls to it, without emitting chosen().
    void setCurrent(std::optional<std::uint64_t> position);
    /// Shows or hides the column of hosts, for experiments with several hosts.
    void showHosts(bool isShown);
    /// Names of the fields that have columns of their own, in front of the column of all fields. The column of a name that no event has is
    /// empty.
    const QStringList& fieldColumns() const { return m_model.fieldColumns(); }
    void setFieldColumns(QStringList names);
    static constexpr int MostFieldColumns = 24;
    /// Sets the text that stands in the list while it has no lines; none if empty.
    void setEmptyText(const QString& text);
    void scrollTo(std::uint64_t position); ///< Scrolls so that a line is in the middle, unless it is already in view.

    /// Positions of the first and the last line that copyRange() copies: the selected lines; current() twice if a single line is selected;
    /// nullopt if there is no current line.
    std::optional<std::pair<std::uint64_t, std::uint64_t>> taken() const;
    /// Copies the lines that taken() returns to the clipboard, but at most MostCopied lines. The cells are separated by tabs, or by commas
    /// (CSV) if `asCsv` is true.
    void copyRange(bool asCsv);
    static constexpr std::size_t MostCopied = 100'000;
    /// Sets whether the context menu offers to filter by the value under the pointer.
    void setOffersFilter(bool offers) { m_offersFilter = offers; }

signals:
    /// Emitted when the user selected a line, whose row may not have been read yet.
    void chosen(quint64 position);
    /// Emitted when current() changed, by the user or by setCurrent().
    void currentChanged();
    /// Emitted when the user chooses in the context menu to filter the list by `expression`, in addition to the present filter.
    void addFilterRequested(const QString& expression);
    void copied(int lines);
    void menuAboutToOpen(QMenu& menu); ///< Emitted before the context menu of the selected lines opens; receivers may append actions.

private:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool handleKey(int key, bool extends);
    void choose(std::uint64_t position, bool extends = false);
    void showMenu(QPoint at);
    void addFilters(QMenu& menu, const EventRow& row, int column, int x);
    QString fieldUnder(const EventRow& row, int column, int x) const;
    void addColumnChoices(QMenu& menu, const QStringList& fields);
    void showHeaderMenu(QPoint at);
    void toggleColumn(const QString& field);
    void showKnownColumns();
    int widthFor(int column) const;
    bool isInCopiedRange(std::uint64_t position) const;
    void updateRange();
    void updateEmptyText();
    void moveTo(std::uint64_t first);
    void showCurrent();
    void updateLook();
    int linesOnScreen() const;
    std::uint64_t lastFirst() const;

    EventPages m_pages;
    EventModel m_model;
    QTableView* m_table;
    QLabel* m_empty; ///< Shown over the table while the list has no lines.
    QScrollBar* m_bar;
    std::optional<std::uint64_t> m_current;
    std::optional<std::uint64_t> m_anchor; ///< Line where the range to copy began; nullopt if the range is a single line.
    bool m_offersFilter = false;
    std::uint64_t m_first = 0;
    int m_wheel = 0;
    bool m_isMoving = false;
};

} // namespace helio
