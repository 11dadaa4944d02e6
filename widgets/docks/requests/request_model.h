#pragma once

#include "core/waits/requests/requests.h"
#include "widgets/time/time_format.h"

#include <QAbstractTableModel>
#include <QStyledItemDelegate>

#include <memory>
#include <vector>

namespace helio {

struct Timeline;

/// Requests as lines: when, which, on which thread, how long, what that went into, and how it ranks. UI thread.
class RequestModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Begin, Name, Thread, Length, Parts, Rank, Columns };

    using QAbstractTableModel::QAbstractTableModel;

    /// Whether a request's thread and times are those of the timeline, too: not where it has other stores, or other clocks.
    bool isOf(const Timeline* timeline, const RequestPath& request) const;
    /// In time order. `filter`: what they were chosen by. `count`: how many there are of which these are the longest.
    void setRequests(std::shared_ptr<const Timeline> timeline, std::vector<RequestPath> all, const TimeFormat& format,
                     const QString& filter = {}, std::size_t count = 0);
    /// Only those whose name or thread has this in it: they alone are ranked.
    void setFilter(const QString& text);
    /// Whether the filter may accept others than those that are here.
    bool lacksSome() const { return m_filter != m_chosenBy && (m_isCut || !m_filter.contains(m_chosenBy, Qt::CaseInsensitive)); }
    /// How many the filter accepts that are shorter than all that are here, as far as is known.
    std::size_t missing() const { return m_filter == m_chosenBy ? m_missing : 0; }
    const std::shared_ptr<const Timeline>& timeline() const { return m_timeline; }
    const RequestPath& request(int line) const { return m_all[m_order[std::size_t(line)]]; }
    Duration longest() const { return m_longest; }
    bool areFew() const; ///< Of so few there is no slowest hundredth.
    /// The slowest hundredth, and the others; of the median length, the first one.
    std::vector<const RequestPath*> slowest() const { return ranked(true); }
    std::vector<const RequestPath*> others() const { return ranked(false); }
    const RequestPath* typical() const; ///< Null: there are none.
    std::vector<const RequestPath*> listed() const; ///< As sorted and filtered.
    /// Parts stand as they were one after the other, from a common begin; else by what they were.
    void setAligned(bool areAligned);
    bool areAligned() const { return m_areAligned; }
    /// What the slowest hundredth has more of than the others. Empty: they are too few.
    QString difference() const;

    int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : int(m_order.size()); }
    int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : int(Columns); }
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

private:
    void arrange();
    std::size_t slowCount() const;
    std::vector<const RequestPath*> ranked(bool areSlow) const;
    void rank();
    double rankOf(std::size_t request) const; ///< In per cent: so many are not longer.
    bool isSlow(std::size_t request) const { return m_places[request] + slowCount() >= m_order.size(); }
    QString threadOf(const RequestPath& it) const;

    std::shared_ptr<const Timeline> m_timeline;
    std::vector<RequestPath> m_all;
    std::vector<std::size_t> m_order; ///< Those that the filter accepts, as sorted.
    std::vector<std::size_t> m_places; ///< Of each of these, by length, the shortest first.
    QString m_chosenBy; ///< The filter that they all passed.
    std::size_t m_missing = 0; ///< Of those that pass it so many more are shorter than all that are here.
    bool m_isCut = false; ///< There are such.
    Duration m_longest{};
    QString m_filter;
    bool m_areAligned = false;
    TimeFormat m_format;
    int m_sortColumn = Length;
    Qt::SortOrder m_sortOrder = Qt::DescendingOrder;
};

/// Draws the parts as a bar, on the scale of the longest.
class RequestDelegate : public QStyledItemDelegate {
public:
    RequestDelegate(const RequestModel& model, QObject* parent);

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    /// Of a lane: the part below the pointer.
    bool helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option, const QModelIndex& index) override;

private:
    void paintParts(QPainter& painter, const QRect& room, const RequestPath& it, double scale) const;
    void paintLane(QPainter& painter, const QRect& room, const RequestPath& it, double scale) const;
    double scaleOf(const QRect& room) const; ///< Pixels for a ns.

    const RequestModel& m_model;
};

} // namespace helio
