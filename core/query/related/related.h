#pragma once

#include "core/base/result.h"
#include "core/experiment/timeline.h"

#include <memory>
#include <stop_token>
#include <string_view>

namespace helio {

/// The timeline and what a relation (RelationKind::When::Asked) answers to a question: its links and rows are then found by the same
/// questions as all others. Who asks again has the answer at once. Cost: of the relation; call it from a query thread.
/// Errors: NotFound: there is no such relation, or nothing here for it; Usage: the question is none for it; Cancelled.
Result<std::shared_ptr<const Timeline>> related(const Timeline& timeline, std::string_view relation, const RelationQuestion& question = {},
                                                std::stop_token stop = {});

/// Whether a timeline's answer of a relation is not whole: the question's patience was at its end. Cost: none.
bool isPart(const Timeline& timeline, std::string_view relation);

/// Whether there are relations that are made for who shows their rows, and the timeline does not have them yet. Cost: little.
bool lacksShownRows(const Timeline& timeline);

/// The timeline with the rows of all relations that are made for who shows them (RelationKind::When::Shown), or of those alone that have
/// rows in a view. One that cannot be made is a diagnostic of it. Who asks again has them at once. Cost: of the relations; call it from a
/// query thread. Nothing: it lacks none. Errors: Cancelled.
Result<std::shared_ptr<const Timeline>> withShownRows(const Timeline& timeline, std::stop_token stop = {}, std::string_view view = {});

/// The same of those alone whose rows have states: not of samples' stacks, which are only shown. The timeline itself where it lacks none.
Result<std::shared_ptr<const Timeline>> withRowsOfStates(std::shared_ptr<const Timeline> timeline, std::string_view view = {},
                                                         std::stop_token stop = {});

/// The timeline with the rows that another one of the same traces has of such relations, where it lacks them: they are shown until its own
/// are made. The same timeline where it lacks none.
std::shared_ptr<const Timeline> withRowsOf(std::shared_ptr<const Timeline> timeline, const Timeline& before);

} // namespace helio
