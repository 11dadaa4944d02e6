/* Analyses in shared libraries: the C interface between Heliograph and a plug-in, version 1. This file is all that a plug-in includes, and
 * its documentation; share/heliograph/examples/plugin holds a worked example, and the guide says how to build and use it.
 *
 * A plug-in is one shared library with one function, heliograph_analysis(). Heliograph loads it where a person names its file with
 * --plugin, or from the plug-in folders where a person allowed that file, and never unloads it. What a plug-in's analysis makes is stored,
 * drawn, listed and searched as what built-in ones make; other bytes in its file make its stores be built again.
 *
 * How it goes: applies() is asked whenever a trace is opened. Where it answers so, begin() makes one analysis, declares what it will make
 * (sets of states, rows, kinds of segments, series of counters, kinds of samples) and looks up the fields it will read. event() gets every
 * event of the trace in the order of their times and says what follows from it. finish() has the time of the last one, drop() frees.
 *
 * All times are ns on the clock of the trace. Texts are UTF-8, end with a NUL and are copied. Numbers of types, fields, state sets, rows
 * and all else count from 0 and are only good for the call, or the analysis, that they were given to; HELIOGRAPH_NONE is none. Functions
 * that may fail answer HELIOGRAPH_NONE or 0; what follows from such an answer is ignored, never a crash. What begin() made is used by one
 * thread at a time; several analyses may run at once, and applies() may be called by several threads at once.
 *
 * Versions: what has a `size` is only ever added to, at the end; other structures stay as they are, for good. So a plug-in goes on to work
 * in all later programs that know its version. One that was built with a newer header than the program's has to see whether
 * `host->size` reaches up to a function before it calls it. */
#ifndef HELIOGRAPH_PLUGIN_H
#define HELIOGRAPH_PLUGIN_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HELIOGRAPH_PLUGIN_ABI 1u
#define HELIOGRAPH_NONE UINT32_MAX

typedef struct heliograph_trace heliograph_trace; /* The trace that is read. */
typedef struct heliograph_event heliograph_event; /* One of its events: good for the call that hands it over. */
typedef struct heliograph_output heliograph_output; /* Takes what an analysis finds. */

/* What a state means, for views that count or explain states without knowing them; and how high its bars are: full, half where a CPU is
 * wanted or something is waited for, a thin line at rest, hatched where nothing is known. */
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
    HELIOGRAPH_UNKNOWN
};

typedef struct heliograph_state {
    const char* name; /* "busy": in files and answers. */
    const char* legend; /* "busy": in legends; null: the name. */
    const char* color; /* "#rrggbb", or a role of the themes; null: one of the categories. */
    uint32_t meaning; /* enum heliograph_meaning */
} heliograph_state;

/* What the value of a state is. */
enum heliograph_value { HELIOGRAPH_NO_VALUE, HELIOGRAPH_TEXT, HELIOGRAPH_NUMBER };

typedef struct heliograph_row {
    const char* view; /* The id of one of the analysis's views. */
    const char* key; /* "disk:0": unique in its view. */
    const char* label;
    uint32_t parent; /* A row, or HELIOGRAPH_NONE. */
    uint32_t state_set;
    uint32_t value; /* enum heliograph_value */
    int32_t pid, tid, cpu; /* -1: none. */
    int32_t order; /* Among its siblings. */
} heliograph_row;

enum heliograph_shape { HELIOGRAPH_ROWS, HELIOGRAPH_CURVES };

/* A panel on the time axis: the rows, or the curves of the counters, that name it. */
typedef struct heliograph_view {
    const char* id; /* "disk": letters, digits and "-"; unique among all views. */
    const char* title; /* "Disks" */
    const char* tip; /* One sentence: what it shows. */
    uint32_t shape; /* enum heliograph_shape */
    const char* one; /* What one of its rows, or counters, is called: "disk"; null: "row", "counter". */
    const char* many; /* "disks" */
    const char* nothing; /* Said where there is none: "No requests to disks were recorded." Null: nothing is. */
} heliograph_view;

/* Something that lasted: a request, a transaction. They may overlap. Durations, `latency --of ID` and searches are about them. */
typedef struct heliograph_segment_kind {
    const char* id; /* "requests": unique in the analysis. */
    const char* title; /* "Requests" */
    const char* name_title; /* What their names are: "Process". Null: they have none. */
    const char* value_title; /* What their values are: "Size". Null: they have none. */
    const char* value_unit; /* "B"; null: a plain number. */
} heliograph_segment_kind;

typedef struct heliograph_segment {
    uint32_t kind;
    uint32_t row; /* Where it happened; HELIOGRAPH_NONE: on none. */
    int64_t begin, end;
    const char* name;
    int64_t value;
} heliograph_segment;

/* A counter: a number that changes over time. */
typedef struct heliograph_series {
    const char* view; /* The id of one of the analysis's views, of HELIOGRAPH_CURVES. Null: no view shows it, `counters` lists it. */
    const char* id; /* "disk:0/queue": unique in the analysis. */
    const char* title; /* "Queue of disk 0" */
    const char* unit; /* "B"; null: a plain number. */
    uint32_t row; /* What it belongs to, or HELIOGRAPH_NONE. */
    uint32_t is_real; /* Not 0: its values are doubles, else 64-bit integers. */
    uint32_t is_total; /* Not 0: a total that grows, of which its rate is shown; else a level. */
} heliograph_series;

/* What samples count: flame graph, functions and callers are of one kind at a time. Several of one name are one kind. */
typedef struct heliograph_sample_kind {
    const char* name; /* "allocations" */
    const char* unit; /* Of their weights: "B"; null: a plain number. */
    uint32_t is_cpu_time; /* Not 0: weights are ns that a thread spent on a CPU. For traces that have no such samples themselves. */
} heliograph_sample_kind;

/* A function, and who called it: the innermost frame of a call stack. */
typedef struct heliograph_frame {
    uint32_t caller; /* The stack of its caller, or HELIOGRAPH_NONE: it is the outermost. */
    uint32_t is_return_address; /* Not 0: `address` is that of the instruction behind the call. */
    const char* function; /* Its name; null: it is looked up in the symbols of `file`. */
    const char* file; /* The program or library that it is in; null: not known. */
    uint64_t address; /* Where there is no name: bytes from the beginning of `file`. */
} heliograph_frame;

typedef struct heliograph_sample {
    uint32_t kind;
    uint32_t stack; /* As frame() answered; HELIOGRAPH_NONE: no frames. */
    int64_t time; /* Times of a kind go forward: one that does not is taken as the one before it. */
    uint64_t weight;
    int32_t pid, tid, cpu; /* -1: not known. */
} heliograph_sample;

/* What Heliograph offers. Later versions only add at the end; `size` says how much there is. */
typedef struct heliograph_host_v1 {
    uint32_t size;

    /* The trace. */
    uint32_t (*type_count)(const heliograph_trace* trace);
    const char* (*type_name)(const heliograph_trace* trace, uint32_t type); /* Null: there is no such type. */
    /* A field of a type's payload, else of its contexts: "next_tid". Costs a search: do it once, when the analysis begins. */
    uint32_t (*field)(heliograph_trace* trace, uint32_t type, const char* name);

    /* An event. */
    int64_t (*event_time)(const heliograph_event* event);
    uint32_t (*event_type)(const heliograph_event* event);
    int32_t (*event_cpu)(const heliograph_event* event); /* -1: not known. */
    int (*event_integer)(const heliograph_event* event, uint32_t field, int64_t* value); /* 0: it is no integer, or is not there. */
    int (*event_real)(const heliograph_event* event, uint32_t field, double* value); /* Integers, too. */
    /* Copies at most `room` bytes, NUL included; answers how long the text is. */
    uint32_t (*event_text)(const heliograph_event* event, uint32_t field, char* text, uint32_t room);

    /* What an analysis finds. */
    /* At most 32 states. Of two sets of one id the first counts. */
    uint32_t (*state_set)(heliograph_output* output, const char* id, const heliograph_state* states, uint32_t count);
    uint32_t (*row)(heliograph_output* output, const heliograph_row* row);
    uint32_t (*text)(heliograph_output* output, const char* text); /* A value for rows of HELIOGRAPH_TEXT. */
    /* From `time` on the row is in the state. Times of a row go forward. */
    void (*set)(heliograph_output* output, int64_t time, uint32_t row, uint32_t state, uint32_t value);
    void (*end)(heliograph_output* output, int64_t time, uint32_t row); /* From `time` on the row does not exist. */
    uint32_t (*link_kind)(heliograph_output* output, const char* id, const char* title, const char* color);
    void (*link)(heliograph_output* output, uint32_t kind, uint32_t from, int64_t from_time, uint32_t to, int64_t to_time);
    uint32_t (*segment_kind)(heliograph_output* output, const heliograph_segment_kind* kind); /* At most 255. */
    void (*segment)(heliograph_output* output, const heliograph_segment* segment); /* About in the order of their ends. */
    uint32_t (*series)(heliograph_output* output, const heliograph_series* series); /* At most 65536. */
    /* From `time` on the series has the value. Times of a series go forward. The value becomes what the series holds. */
    void (*point)(heliograph_output* output, uint32_t series, int64_t time, int64_t value);
    void (*real_point)(heliograph_output* output, uint32_t series, int64_t time, double value);
    uint32_t (*sample_kind)(heliograph_output* output, const heliograph_sample_kind* kind); /* At most 255. */
    /* The stack that has the frame on top of its caller's: the same for the same. Costs a search. */
    uint32_t (*frame)(heliograph_output* output, const heliograph_frame* frame);
    void (*sample)(heliograph_output* output, const heliograph_sample* sample);
    /* What a person should know of how the trace was understood; shown under Messages. `kind`: a stable short word. */
    void (*warn)(heliograph_output* output, const char* kind, const char* what);
} heliograph_host_v1;

/* One kind of analysis. It and all it points to stay as long as the library is loaded. */
typedef struct heliograph_analysis_v1 {
    uint32_t size; /* sizeof(heliograph_analysis_v1) */
    const char* id; /* "disk-queues": unique among all analyses. */
    const char* title; /* "Disk queues": in menus. Null: as its first view is called. */
    int32_t version; /* Raise it when what the analysis makes changes. */
    const heliograph_view* views;
    uint32_t view_count;

    /* Not 0: the trace has something for it. */
    int (*applies)(const heliograph_host_v1* host, const heliograph_trace* trace);
    /* Begins an analysis. Null: it cannot, and has nothing to show; that is reported, and kept like any other result. `host`, `trace` and
     * `output` outlive it. */
    void* (*begin)(const heliograph_host_v1* host, heliograph_trace* trace, heliograph_output* output, int64_t time);
    /* All events in the order of their times. */
    void (*event)(void* analysis, const heliograph_event* event);
    /* Events of a CPU (-1: of any) were lost in between. Null: it does not care. */
    void (*loss)(void* analysis, int64_t begin, int64_t end, int32_t cpu);
    /* The time of the last event. Rows end there by themselves, where no state was set to begin later. */
    void (*finish)(void* analysis, int64_t time);
    /* The last call, also where reading ended early. */
    void (*drop)(void* analysis);
} heliograph_analysis_v1;

/* The one symbol of a plug-in: its analysis of that index, from 0 on; null: there are no more, or none for that `abi`, which is the
 * program's HELIOGRAPH_PLUGIN_ABI. Also called where nothing is opened: to list what there is. */
#ifdef __GNUC__
__attribute__((visibility("default")))
#endif
const heliograph_analysis_v1*
heliograph_analysis(uint32_t abi, uint32_t index);

#ifdef __cplusplus
}
#endif

#endif
