#pragma once

#include "tests/bench/suite/figures.h"
#include "tests/bench/suite/subject.h"

#include <span>

namespace helio::bench {

/// What all sections are handed.
struct Measuring {
    Subject& subject;
    Figures& figures;
    int repeat = 3; ///< Runs of what is timed; the best counts.
};

/// A part of the benchmark that can be asked for by its name.
struct Section {
    const char* name;
    const char* what;
    void (*measure)(Measuring&);
};

/// In the order they run.
std::span<const Section> sections();

// Each in a file of its own.
void measureDecoding(Measuring&);
void measureIngest(Measuring&);
void measureCalls(Measuring&);
void measureDeclared(Measuring&);
void measureHosts(Measuring&);
void measureMachines(Measuring&);
void measurePaths(Measuring&);
void measureLatencies(Measuring&);
void measureInstructions(Measuring&);
void measureHotPaths(Measuring&);
void measureText(Measuring&);
void measureSizes(Measuring&);
void measureReopening(Measuring&);
void measureQueries(Measuring&);
void measureOverview(Measuring&);
void measureFrames(Measuring&);
void measureWindow(Measuring&);
void measureEvents(Measuring&);
void measureCancelling(Measuring&);
void measureFlame(Measuring&);

} // namespace helio::bench
