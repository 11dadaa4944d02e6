#pragma once

#include "core/sql/engine/database.h"

#include <memory>

namespace helio {

struct Timeline;

namespace sql {

/// Opens a database with the tables, views and functions of core/sql over a timeline. Nothing of the timeline is copied: queries read the
/// stores and the traces.
///
/// Threads: the database is to be used by one thread at a time.
/// Cost: makes the rows of all threads, and looks at each track.
/// Errors: those of Database::create().
Result<std::unique_ptr<Database>> openDatabase(const std::shared_ptr<const Timeline>& timeline);

} // namespace sql
} // namespace helio
