#pragma once

#include "widgets/eventlist/event_model.h"

#include <QWidget>

class QMenu;
class QScrollBar;
class QTableView;

namespace helio {

/// A table of events of any length: it creates only the lines on screen. Arrow keys, page keys and the wheel move through it; with Shift,
/// keys and clicks extend the copied range to the chosen line.
class EventList : public QWidget {
    Q_OBJECT

public:
    explicit EventList(QWidget* parent = nullptr);

    EventPages& pages() { return m_pages; }
    EventModel& model() { return m_model; }

    std::optional<std::uint64_t> current() const { return m_current; }
    /// Selects the line and scrolls to it; does not emit chosen().
    void setCurrent(std::optional<std::uint64_t> position);
    /// Shows or hides the column with each event's host, for experiments with several hosts.
    void showHosts(bool isShown);
    /// Names of fields with a column of their own, shown before the column of all fields. A name that no event has makes an empty column.
    const QStringList& fieldColumns() const { return m_model.fieldColumns(); }
    void setFieldColumns(QStringList names);
    static constexpr int MostFieldColumns = 24;
    void scrollTo(std::uint64_t position); ///< Centres the line unless it is in view already.

    /// First and last of the lines that copying takes; both are current() if it is a single line, empty if there is no current line.
    std::optional<std::pair<std::uint64_t, std::uint64_t>> taken() const;
    /// Copies taken() to the clipboard, at most MostCopied lines: cells separated by tabs, or CSV.
    void copyRange(bool asCsv);
    static constexpr std::size_t MostCopied = 100'000;
    /// If true, the context menu offers to filter by the value under the pointer.
    void setOffersFilter(bool offers) { m_offersFilter = offers; }

signals:
    /// The user chose this line; its row may still have to be read.
    void chosen(quint64 position);
    /// current() changed, through the user or through setCurrent().
    void currentChanged();
    /// The context menu asks to narrow the list to the events that match `expression` as well.
    void addFilterRequested(const QString& expression);
    void copied(int lines);
    void menuAboutToOpen(QMenu& menu); ///< The context menu of the chosen lines is about to open; receivers may append actions.

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
    void moveTo(std::uint64_t first);
    void showCurrent();
    void updateLook();
    int linesOnScreen() const;
    std::uint64_t lastFirst() const;

    EventPages m_pages;
    EventModel m_model;
    QTableView* m_table;
    QScrollBar* m_bar;
    std::optional<std::uint64_t> m_current;
    std::optional<std::uint64_t> m_anchor; ///< Line at which the copied range began; empty if it has one line.
    bool m_offersFilter = false;
    std::uint64_t m_first = 0;
    int m_wheel = 0;
    bool m_isMoving = false;
};

} // namespace helio
