#pragma once

#include "core/waits/requests/requests.h"
#include "widgets/time/time_format.h"

#include <QAbstractTableModel>
#include <QStyledItemDelegate>

#include <memory>
#include <vector>

namespace helio {

struct Timeline;

/// A table of requests, one per line: begin, name, thread, duration, breakdown and rank.
/// Threads: UI thread.
class RequestModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Begin, Name, Thread, Length, Parts, Rank, Columns };

    using QAbstractTableModel::QAbstractTableModel;

    /// True if the request's thread and times are valid in `timeline`. False if it has other stores or clocks.
    bool isOf(const Timeline* timeline, const RequestPath& request) const;
    /// Sets requests in time order. `filter`: filter with which they were chosen. `count`: how many requests match it; `all` has the
    /// longest.
    void setRequests(std::shared_ptr<const Timeline> timeline, std::vector<RequestPath> all, const TimeFormat& format,
                     const QString& filter = {}, std::size_t count = 0);
    /// Lists and ranks only requests whose name or thread contains the text.
    void setFilter(const QString& text);
    /// True if the filter may match requests that are not in the model.
    bool mayLackMatches() const
    {
        return m_filter != m_queriedFilter && (m_isCut || !m_filter.contains(m_queriedFilter, Qt::CaseInsensitive));
    }
    /// Number of requests that match the filter and are shorter than all in the model, as far as known.
    std::size_t missing() const { return m_filter == m_queriedFilter ? m_missing : 0; }
    const std::shared_ptr<const Timeline>& timeline() const { return m_timeline; }
    const RequestPath& request(int line) const { return m_all[m_order[std::size_t(line)]]; }
    Duration longest() const { return m_longest; }
    bool areTooFew() const; ///< True if the listed requests are too few for a slowest 1 %.
    /// The slowest 1 %, the other requests, and the first request of median duration. The first two are empty if areTooFew().
    std::vector<const RequestPath*> slowest() const { return ranked(true); }
    std::vector<const RequestPath*> others() const { return ranked(false); }
    const RequestPath* typical() const; ///< nullptr if there are no requests.
    std::vector<const RequestPath*> listed() const; ///< All listed requests, as sorted and filtered.
    /// If true, the parts of all requests are drawn in time order from a common begin; else summed by cause.
    void setAligned(bool areAligned);
    bool areAligned() const { return m_areAligned; }
    /// Returns what takes longer in the slowest 1 % than in the others; empty if areTooFew().
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
    double rankOf(std::size_t request) const; ///< Percentage of requests that are not longer.
    bool isSlow(std::size_t request) const { return m_durationRanks[request] + slowCount() >= m_order.size(); }
    QString threadOf(const RequestPath& it) const;

    std::shared_ptr<const Timeline> m_timeline;
    std::vector<RequestPath> m_all;
    std::vector<std::size_t> m_order; ///< Indices in m_all of the listed requests, as sorted.
    std::vector<std::size_t> m_durationRanks; ///< Rank by duration of each listed request, shortest first; indexed like m_all.
    QString m_queriedFilter; ///< Filter that all requests in m_all match.
    std::size_t m_missing = 0; ///< Number of requests that match m_queriedFilter and are shorter than all in m_all.
    bool m_isCut = false; ///< True if m_missing is not 0.
    Duration m_longest{};
    QString m_filter;
    bool m_areAligned = false;
    TimeFormat m_format;
    int m_sortColumn = Length;
    Qt::SortOrder m_sortOrder = Qt::DescendingOrder;
};

/// Draws the breakdown of a request as a bar, on the scale of the longest request.
class RequestDelegate : public QStyledItemDelegate {
public:
    RequestDelegate(const RequestModel& model, QObject* parent);

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    /// Tooltip of a lane: the part under the pointer.
    bool helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option, const QModelIndex& index) override;

private:
    void paintParts(QPainter& painter, const QRect& room, const RequestPath& it, double scale) const;
    void paintLane(QPainter& painter, const QRect& room, const RequestPath& it, double scale) const;
    double scaleOf(const QRect& room) const; ///< Pixels per ns.

    const RequestModel& m_model;
};

} // namespace helio
