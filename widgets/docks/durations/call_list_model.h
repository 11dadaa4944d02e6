#pragma once

#include "widgets/controls/column_model.h"
#include "widgets/docks/durations/function_durations.h"
#include "widgets/time/time_format.h"

namespace helio {

/// The calls of a bucket, a line for each.
class CallListModel : public ColumnModel<const BucketCalls::Call*> {
    Q_OBJECT

public:
    enum Column { Begin, Length, Thread, ColumnCount };

    CallListModel();

    void setCalls(std::shared_ptr<const BucketCalls> calls); ///< nullptr: none.
    void setTimeFormat(const TimeFormat& format);

    std::size_t callAt(int row) const { return placeOf(row); } ///< Its index in BucketCalls.
    int lineOf(std::size_t call) const; ///< -1 if it is not listed.

private:
    std::shared_ptr<const BucketCalls> m_calls;
    TimeFormat m_format;
};

} // namespace helio
