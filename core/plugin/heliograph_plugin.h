/* Analyses in shared libraries: version 1 of the C interface between Heliograph and a plug-in. This file is the only one that a plug-in
 * includes, and it is the documentation. share/heliograph/examples/plugin contains an example; the guide explains how to build and use
 * it.
 *
 * A plug-in is a shared library with one function, heliograph_analysis(). Heliograph loads it if the user names its file with --plugin,
 * or if it is in a plug-in folder and the user has allowed it. It is never unloaded. The results of a plug-in's analysis are stored,
 * drawn, listed and searched like those of built-in analyses. If the file of a plug-in changes, its stores are built again.
 *
 * Order of calls: applies() is called whenever a trace is opened. If it returns a value other than 0, begin() makes one analysis,
 * declares its output (state sets, rows, kinds of segments, series of counters, kinds of samples) and looks up the fields that it will
 * read. event() is called for every event of the trace, in the order of their times, and writes the results. finish() receives the
 * time of the last event. drop() frees the analysis.
 *
 * All times are ns on the clock of the trace. Texts are UTF-8, end with a NUL and are copied. Numbers of types, fields, state sets, rows
 * and other things count from 0 and are valid only for the call or the analysis that received them; HELIOGRAPH_NONE stands for no such
 * thing. Functions that may fail return HELIOGRAPH_NONE or 0. Calls with such a number are ignored and never crash.
 *
 * Threads: an analysis made by begin() is used by one thread at a time. Several analyses may run at once, and applies() may be called by
 * several threads at once.
 *
 * Versions: structures with a member `size` only grow, at their end; other structures never change. A plug-in therefore works in all
 * later programs that support its version. A plug-in built with a newer header than the program must check that `host->size` covers a
 * function before calling it. */
#ifndef HELIOGRAPH_PLUGIN_H
#define HELIOGRAPH_PLUGIN_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HELIOGRAPH_PLUGIN_ABI 1u
#define HELIOGRAPH_NONE UINT32_MAX

typedef struct heliograph_trace heliograph_trace; /* The trace that is read. */
typedef struct heliograph_event heliograph_event; /* An event of the trace; valid during the call that passes it. */
typedef struct heliograph_output heliograph_output; /* Receives the results of an analysis. */

/* Category of a state, for views that count or explain states without knowing them. It also decides the height of bars: full on a CPU,
 * half when runnable or waiting, a thin line at rest, hatched if nothing is known. */
enum heliograph_meaning {
    HELIOGRAPH_MEANS_NOTHING,
    HELIOGRAPH_ON_CPU,
    HELIOGRAPH_ON_CPU_USER,
    HELIOGRAPH_ON_CPU_SYSCALL,
    HELIOGRAPH_ON_CPU_KERNEL,
    HELIOGRAPH_ON_CPU_INTERRUPT,
    HELIOGRAPH_ON_CPU_EXIT,
    HELIOGRAPH_WAITS_FOR_CPU,
    HELIOGRAPH_PREEMPTED,
    HELIOGRAPH_WAITS,
    HELIOGRAPH_RESTS,
    HELIOGRAPH_OFF_CPU,
    HELIOGRAPH_UNKNOWN,
    HELIOGRAPH_THROTTLED /* Runnable, but kept off an idle CPU. */
};

typedef struct heliograph_state {
    const char* name; /* Name in files and output, e.g. "busy". */
    const char* legend; /* Name in legends, e.g. "busy"; null: the name. */
    const char* color; /* "#rrggbb" or a colour role of the themes; null: a category colour. */
    uint32_t meaning; /* enum heliograph_meaning */
} heliograph_state;

/* Type of the value of a state. */
enum heliograph_value { HELIOGRAPH_NO_VALUE, HELIOGRAPH_TEXT, HELIOGRAPH_NUMBER };

typedef struct heliograph_row {
    const char* view; /* Id of a view of the analysis. */
    const char* key; /* Identifier of the row, unique in its view, e.g. "disk:0". */
    const char* label;
    uint32_t parent; /* Parent row; HELIOGRAPH_NONE for a row at the top level. */
    uint32_t state_set;
    uint32_t value; /* enum heliograph_value */
    int32_t pid, tid, cpu; /* Process, thread and CPU of the row; -1 for each that the row does not have. */
    int32_t order; /* Sort key of the row among its siblings, ascending. */
} heliograph_row;

enum heliograph_shape { HELIOGRAPH_ROWS, HELIOGRAPH_CURVES };

/* A panel on the time axis. It shows the rows, or the curves of the counters, that refer to it. */
typedef struct heliograph_view {
    const char* id; /* For example "disk": letters, digits and "-"; unique among all views. */
    const char* title; /* For example "Disks". */
    const char* tip; /* One sentence that says what the view shows. */
    uint32_t shape; /* enum heliograph_shape */
    const char* one; /* Name of one row or counter, e.g. "disk"; null: "row" or "counter". */
    const char* many; /* Plural of `one`, e.g. "disks". */
    const char* nothing; /* Text of an empty view, e.g. "No requests to disks were recorded."; null: no text. */
} heliograph_view;

/* A kind of segments: things with a begin and an end, e.g. requests or transactions, which may overlap. They are used by
 * `latency --of ID`, by searches and by the views of durations. */
typedef struct heliograph_segment_kind {
    const char* id; /* Unique in the analysis, e.g. "requests". */
    const char* title; /* For example "Requests". */
    const char* name_title; /* Title of the segments' names, e.g. "Process"; null: the segments have no names. */
    const char* value_title; /* Title of the segments' values, e.g. "Size"; null: the segments have no values. */
    const char* value_unit; /* Unit of the values, e.g. "B"; null: plain numbers. */
} heliograph_segment_kind;

typedef struct heliograph_segment {
    uint32_t kind;
    uint32_t row; /* Row on which the segment happened; HELIOGRAPH_NONE if none. */
    int64_t begin, end;
    const char* name;
    int64_t value;
} heliograph_segment;

/* A series of a counter, which is a number that changes over time. */
typedef struct heliograph_series {
    /* Id of a view of the analysis with HELIOGRAPH_CURVES. Null: no view shows the series, but the command `counters` lists it. */
    const char* view;
    const char* id; /* Unique in the analysis, e.g. "disk:0/queue". */
    const char* title; /* For example "Queue of disk 0". */
    const char* unit; /* For example "B"; null: plain numbers. */
    uint32_t row; /* Row that the series belongs to; HELIOGRAPH_NONE if none. */
    uint32_t is_real; /* Not 0: the values are doubles; 0: 64-bit integers. */
    uint32_t is_total; /* Not 0: a growing total, shown as its rate; 0: a level. */
} heliograph_series;

/* A kind of samples. A flame graph, and the views of functions and callers, show one kind at a time. Equal names mean the same kind. */
typedef struct heliograph_sample_kind {
    const char* name; /* For example "allocations". */
    const char* unit; /* Unit of the weights, e.g. "B"; null: plain numbers. */
    /* Not 0: the weights are ns that a thread spent on a CPU. Use it for traces that have no such samples themselves. */
    uint32_t is_cpu_time;
} heliograph_sample_kind;

/* A frame of a call stack together with the stack of its caller. */
typedef struct heliograph_frame {
    uint32_t caller; /* Stack of the caller; HELIOGRAPH_NONE for the outermost frame. */
    uint32_t is_return_address; /* Not 0: `address` is that of the instruction after the call. */
    const char* function; /* Name of the function; null: looked up in the symbols of `file`. */
    const char* file; /* Program or library that contains the function; null if unknown. */
    uint64_t address; /* Used if `function` is null: bytes from the beginning of `file`. */
} heliograph_frame;

typedef struct heliograph_sample {
    uint32_t kind;
    uint32_t stack; /* Result of frame(); HELIOGRAPH_NONE: the sample has no frames. */
    int64_t time; /* Must not decrease within a kind; an earlier time is replaced by the latest one. */
    uint64_t weight;
    int32_t pid, tid, cpu; /* Process, thread and CPU of the sample; -1 for each that is unknown. */
} heliograph_sample;

/* The functions of Heliograph that a plug-in may call. Later versions only add members at the end; `size` is the size of the program's
 * version of this structure. */
typedef struct heliograph_host_v1 {
    uint32_t size;

    /* Functions for the trace. */
    uint32_t (*type_count)(const heliograph_trace* trace);
    /* Returns the name of an event type, a number below type_count(); null if no event type has this number. */
    const char* (*type_name)(const heliograph_trace* trace, uint32_t type);
    /* Looks up a field in a type's payload, then in its contexts, e.g. "next_tid". Cost: a search; call it in begin() only. */
    uint32_t (*field)(heliograph_trace* trace, uint32_t type, const char* name);

    /* Functions for an event. */
    int64_t (*event_time)(const heliograph_event* event);
    uint32_t (*event_type)(const heliograph_event* event);
    int32_t (*event_cpu)(const heliograph_event* event); /* Returns the CPU number of the event; -1 if unknown. */
    /* Sets `value` to the value of an integer field. Returns 0 if the event has no integer field with this number. */
    int (*event_integer)(const heliograph_event* event, uint32_t field, int64_t* value);
    /* Sets `value` to the value of a number field; an integer is converted to double. Returns 0 if the event has no such field. */
    int (*event_real)(const heliograph_event* event, uint32_t field, double* value);
    /* Copies the text of a field to `text`: at most `room` bytes, including the NUL. Returns the length of the whole text. */
    uint32_t (*event_text)(const heliograph_event* event, uint32_t field, char* text, uint32_t room);

    /* Functions for the results of an analysis. */
    /* Declares a state set of at most 32 states. If two sets have the same id, the first one is used. */
    uint32_t (*state_set)(heliograph_output* output, const char* id, const heliograph_state* states, uint32_t count);
    uint32_t (*row)(heliograph_output* output, const heliograph_row* row);
    /* Returns the number of a text, to be passed to set() as `value` for rows with HELIOGRAPH_TEXT. */
    uint32_t (*text)(heliograph_output* output, const char* text);
    /* Sets the state of a row from `time` on. Times must not decrease within a row. */
    void (*set)(heliograph_output* output, int64_t time, uint32_t row, uint32_t state, uint32_t value);
    void (*end)(heliograph_output* output, int64_t time, uint32_t row); /* Ends the row: it does not exist from `time` on. */
    uint32_t (*link_kind)(heliograph_output* output, const char* id, const char* title, const char* color);
    void (*link)(heliograph_output* output, uint32_t kind, uint32_t from, int64_t from_time, uint32_t to, int64_t to_time);
    /* Declares a kind of segments; at most 255 kinds. */
    uint32_t (*segment_kind)(heliograph_output* output, const heliograph_segment_kind* kind);
    /* Adds a segment. Any order is allowed, but queries are fastest if segments come roughly in the order of their ends. */
    void (*segment)(heliograph_output* output, const heliograph_segment* segment);
    /* Declares a series of a counter; at most 65536 series. */
    uint32_t (*series)(heliograph_output* output, const heliograph_series* series);
    /* point() and real_point() set the value of a series from `time` on. Times must not decrease within a series. The value is
     * converted to the type of the series. */
    void (*point)(heliograph_output* output, uint32_t series, int64_t time, int64_t value);
    void (*real_point)(heliograph_output* output, uint32_t series, int64_t time, double value);
    /* Declares a kind of samples; at most 255 kinds. */
    uint32_t (*sample_kind)(heliograph_output* output, const heliograph_sample_kind* kind);
    /* Returns the stack with this frame on top of its caller's stack; the same stack for equal arguments. Cost: a search. */
    uint32_t (*frame)(heliograph_output* output, const heliograph_frame* frame);
    void (*sample)(heliograph_output* output, const heliograph_sample* sample);
    /* Reports to the user, under Messages, a problem in how the trace was understood. `kind` is a stable short word. */
    void (*warn)(heliograph_output* output, const char* kind, const char* what);
} heliograph_host_v1;

/* An analysis of a plug-in. The structure and everything it points to must stay valid as long as the library is loaded. */
typedef struct heliograph_analysis_v1 {
    uint32_t size; /* sizeof(heliograph_analysis_v1) */
    const char* id; /* Unique among all analyses, e.g. "disk-queues". */
    const char* title; /* Title in menus, e.g. "Disk queues"; null: the title of the first view. */
    int32_t version; /* Increase it when the results of the analysis change. */
    const heliograph_view* views;
    uint32_t view_count;

    /* Returns a value other than 0 if the analysis applies to the trace. */
    int (*applies)(const heliograph_host_v1* host, const heliograph_trace* trace);
    /* Begins an analysis and returns it; null if it cannot begin and has no results. Null is reported, and stored like any other result.
     * `host`, `trace` and `output` outlive the analysis. */
    void* (*begin)(const heliograph_host_v1* host, heliograph_trace* trace, heliograph_output* output, int64_t time);
    /* Called for all events, in the order of their times. */
    void (*event)(void* analysis, const heliograph_event* event);
    /* Called when events of a CPU (-1: of any CPU) were lost between `begin` and `end`. Null: not called. */
    void (*loss)(void* analysis, int64_t begin, int64_t end, int32_t cpu);
    /* Called with the time of the last event. All rows end at that time, unless a state was set to begin later. */
    void (*finish)(void* analysis, int64_t time);
    /* Frees the analysis. This is the last call, and is also made if reading the trace ended early. */
    void (*drop)(void* analysis);
} heliograph_analysis_v1;

/* The only function that a plug-in exports. Returns the analysis with this index, counted from 0; null if the plug-in has no further
 * analysis, or none for `abi`, the program's HELIOGRAPH_PLUGIN_ABI. The program also calls the function to list the analyses when no
 * trace is open. */
#ifdef __GNUC__
__attribute__((visibility("default")))
#endif
const heliograph_analysis_v1*
heliograph_analysis(uint32_t abi, uint32_t index);

#ifdef __cplusplus
}
#endif

#endif
